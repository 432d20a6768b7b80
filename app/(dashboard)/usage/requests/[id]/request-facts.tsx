import Link from "next/link";
import { CopyButton } from "@/components/copy-button.tsx";
import { Fact } from "@/components/fact.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import type { RequestDetails } from "@/lib/usage/log.ts";
import type { LoggedSettings } from "@/lib/usage/logged-settings.ts";
import { timeWords } from "../../words.ts";
import { askerOf } from "../request-words.ts";
import { settingWords } from "./setting-words.ts";

interface RequestFactsProps {
  request: RequestDetails;
  /** Null: it was refused before they were read. */
  settings: LoggedSettings | null;
  /** The name of the key whose policy a run in the playground was held to. */
  asKey: string | null;
}

/** When, who, and what was asked for; what is sent about a client is kept nowhere. */
export function RequestFacts({ request, settings, asKey }: RequestFactsProps) {
  const { id, at, durationMs, total, keyId, origin, keyName } = request;
  const asker = askerOf(request);
  return (
    <dl className="grid gap-x-10 gap-y-3 lg:grid-cols-2">
      <Fact name="Request id">
        <span className="flex min-w-0 items-center gap-1">
          <code className="break-all font-mono text-sm">{id}</code>
          <CopyButton text={id} label="Copy request ID" variant="ghost" />
        </span>
      </Fact>
      <Fact name="When">
        <AbsoluteTime date={at} time />
      </Fact>
      <Fact name="From">
        {keyName && keyId ? (
          <Link href={`/usage?source=${keyId}`} className="text-accent underline underline-offset-4">
            {asker}
          </Link>
        ) : (
          asker
        )}
        {origin === "playground" && " in the playground"}
        {asKey && `, as the key “${asKey}”`}
      </Fact>
      <Fact name="Time">{timeWords(durationMs)}</Fact>
      <Fact name="Results">{total}</Fact>
      {settings &&
        settingWords(settings).map(([name, words]) => (
          <Fact key={name} name={name}>
            {words}
          </Fact>
        ))}
    </dl>
  );
}

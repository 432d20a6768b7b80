import Link from "next/link";
import { CopyButton } from "@/components/copy-button.tsx";
import { Fact } from "@/components/fact.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { describePolicy } from "@/lib/api-keys/describe-policy.ts";
import type { LoggedSettings } from "@/lib/retrieval/logged-settings.ts";
import type { Receipt } from "@/lib/usage/receipt.ts";
import { timeWords } from "../../format-figures.ts";
import { callerOf } from "../request-words.ts";
import { requestSettingWords } from "./request-settings.ts";

interface RequestFactsProps {
  request: Receipt;
  /** Null if the request was refused before its body was read. */
  settings: LoggedSettings | null;
  /** The name of the key whose policy applied to a playground run. */
  asKey: string | null;
}

/** Time, caller and settings of a request. The context fields are not stored. */
export function RequestFacts({ request, settings, asKey }: RequestFactsProps) {
  const { id, at, durationMs, total, keyId, origin, keyName, policy } = request;
  const caller = callerOf(request);
  return (
    <dl className="grid gap-x-10 gap-y-3">
      <Fact name="Request ID">
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
            {caller}
          </Link>
        ) : (
          caller
        )}
        {origin === "playground" && " in the playground"}
        {asKey && `, as the key “${asKey}”`}
      </Fact>
      <Fact name="Time">{timeWords(durationMs)}</Fact>
      <Fact name="Results">{total}</Fact>
      {policy && <Fact name="Policy at that time">{describePolicy(policy).join(". ") || "No restrictions"}</Fact>}
      {settings &&
        requestSettingWords(settings).map(([name, words]) => (
          <Fact key={name} name={name}>
            {words}
          </Fact>
        ))}
    </dl>
  );
}

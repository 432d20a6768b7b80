import HistoryIcon from "lucide-react/icons/history";
import { RelativeTime } from "@/components/relative-time.tsx";
import { PlainButton } from "@/components/ui/plain-button.tsx";
import { counted } from "@/lib/counted.ts";
import { EMPTY_FORM, filtersSet } from "./form.ts";
import type { PastRun } from "./past-run.ts";
import type { PlaygroundKey } from "./run.ts";

interface HistoryProps {
  past: PastRun[];
  keys: PlaygroundKey[];
  keepsText: boolean;
  onPick: (run: PastRun) => void;
}

/** The member's own earlier runs. Picking a run fills the form, except the context fields. */
export function History({ past, keys, keepsText, onPick }: HistoryProps) {
  if (past.length === 0 && keepsText) return null;
  return (
    <section aria-labelledby="history" className="grid gap-2 max-lg:order-last">
      <h2 id="history" className="flex items-center gap-2 font-medium text-muted text-sm">
        <HistoryIcon aria-hidden className="size-4" />
        Your earlier runs
      </h2>
      {!keepsText && (
        <p className="text-muted text-sm">
          Your company keeps hashes instead of questions, so your earlier runs cannot be listed.
        </p>
      )}
      <ul className="grid">
        {past.map((run) => (
          <li key={run.id}>
            <PlainButton
              onClick={() => onPick(run)}
              className="-mx-2 grid w-[calc(100%+1rem)] gap-0.5 rounded-md px-2 py-1.5 text-left transition-colors hover:bg-hover"
            >
              <span className="truncate">{run.form.queryText}</span>
              <span className="text-muted text-xs">
                <RelativeTime date={run.at} /> ·{" "}
                {[counted(run.total, "result"), ...runDifferences(run, keys)].join(" · ")}
              </span>
            </PlainButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The settings that distinguish runs of the same question. */
function runDifferences({ form, keyId }: PastRun, keys: PlaygroundKey[]): string[] {
  const filters = filtersSet(form);
  const words = [
    keyId && `as ${keys.find(({ id }) => id === keyId)?.name ?? "an expired or revoked key"}`,
    filters > 0 && counted(filters, "filter"),
    form.useRerank && "reranked",
    form.scoreThreshold !== EMPTY_FORM.scoreThreshold && `from ${form.scoreThreshold}`,
    !form.answer && "no answer",
  ];
  return words.filter((word) => typeof word === "string");
}

import SearchX from "lucide-react/icons/search-x";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";
import { EmptyState } from "@/components/empty-state.tsx";
import { counted } from "@/lib/counted.ts";
import { ResultCard } from "./result-card.tsx";
import type { Cited, Run } from "./run.ts";
import { WhyNot } from "./why-not.tsx";

interface ResultPaneProps {
  run: Run | null;
  /** What the page shows before its first run. */
  introduction: ReactNode;
  pending: boolean;
  /** Whether the results are not those of the last attempt. */
  isOld: boolean;
  /** The citation that was clicked last. */
  cited: Cited | null;
}

export function ResultPane({ run, introduction, pending, isOld, cited }: ResultPaneProps) {
  return (
    <section aria-label="Results" className="grid gap-3">
      <h2 className="font-semibold text-base">
        <span role="status">{pending ? "Searching…" : run ? summary(run) : "Results"}</span>
      </h2>
      {!run && !pending && introduction}
      {run && (
        <div className={cn("grid gap-3 transition-opacity", isOld && "opacity-50")}>
          {run.found.searchQuery && (
            <p className="text-muted text-sm">Completed from the chat. Searched for: “{run.found.searchQuery}”</p>
          )}
          {run.found.response.results.length === 0 && <NoResults run={run} />}
          <ol className="grid gap-3">
            {run.found.response.results.map((result, index) => (
              <ResultCard
                key={result.id}
                result={result}
                rank={index + 1}
                matched={run.found.matched[index] ?? []}
                cited={cited?.rank === index + 1 ? cited : null}
              />
            ))}
          </ol>
          {(run.found.trace.live > 0 || run.keyId !== null) && (
            <WhyNot key={run.found.requestId} form={run.form} keyId={run.keyId} />
          )}
        </div>
      )}
    </section>
  );
}

function summary({ found: { response } }: Run): string {
  const { total, retrievalTimeMs } = response;
  return `${total === 0 ? "No results" : counted(total, "result")} in ${retrievalTimeMs} ms`;
}

/** Says why there are no results: no knowledge, the policy, the filters or the threshold. */
function NoResults({ run: { form, keyId, found } }: { run: Run }) {
  const { live, eligible, fused, aboveThreshold } = found.trace;
  return (
    <EmptyState icon={SearchX} title="No results">
      {live === 0 && keyId === null && "The knowledge base is empty."}
      {live === 0 &&
        keyId !== null &&
        "The key's policy and the filters exclude each other, or the knowledge base is empty."}
      {live > 0 &&
        eligible === 0 &&
        "No chunk matches the filters and the key's policy. Remove a filter and run again."}
      {eligible > 0 && fused === 0 && "No chunk matches the question."}
      {fused > 0 &&
        aboveThreshold === 0 &&
        `All matching chunks score below the threshold of ${form.scoreThreshold}. Lower the threshold and run again.`}
    </EmptyState>
  );
}

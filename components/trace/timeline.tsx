import { counted, countText } from "@/lib/counted.ts";
import { type Stage, stagesOf, type TraceData } from "./stages.ts";

/** One line per stage, with a bar for its start and duration. */
export function Timeline({ data }: { data: TraceData }) {
  const stages = stagesOf(data);
  const whole = Math.max(1, ...stages.map(({ startMs, ms }) => startMs + ms));
  return (
    <ol aria-label="Stages" className="grid gap-2.5 sm:gap-1.5">
      {stages.map((stage) => (
        <StageLine key={stage.name} stage={stage} whole={whole} />
      ))}
    </ol>
  );
}

function StageLine({ stage: { words, ms, startMs, into, out }, whole }: { stage: Stage; whole: number }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 text-sm sm:grid-cols-[10rem_9rem_minmax(0,1fr)_4.5rem]">
      <span>{words}</span>
      <span className="tabular text-muted max-sm:order-last max-sm:col-span-2">{flow(into, out)}</span>
      <span aria-hidden className="relative h-2 rounded-full bg-subtle max-sm:order-last max-sm:col-span-2">
        <span
          className="absolute inset-y-0 min-w-1 rounded-full bg-chart-1"
          style={{ left: `${(100 * startMs) / whole}%`, width: `${(100 * ms) / whole}%` }}
        />
      </span>
      <span className="tabular text-right text-muted">{ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</span>
    </li>
  );
}

/** Candidates in and out, with words for screen readers. */
function flow(into: number | null, out: number | null) {
  if (into === null && out === null) return null;
  if (into === null) return counted(out ?? 0, "chunk");
  if (out === null) return counted(into, "chunk");
  return (
    <>
      {countText(into)} <span aria-hidden>→</span>
      <span className="sr-only"> candidates in, out </span> {countText(out)}
    </>
  );
}

import { counted } from "@/lib/counted.ts";
import type { DiffPart } from "@/lib/knowledge/text-diff.ts";
import { firstCharacters, lastCharacters } from "@/lib/text.ts";

/** Characters at each end of a part that are shown, fewer beside a change. */
const SHOWN = { changed: 10_000, unchanged: 600 };

/** The parts of a comparison, with what was removed and added marked. The middle of a long part is left out. */
export function TextDiff({ parts }: { parts: DiffPart[] }) {
  return (
    <p className="wrap-anywhere whitespace-pre-wrap leading-relaxed">
      {parts.map((part) => (
        <Part key={part.at} part={part} isWhole={parts.length === 1} />
      ))}
    </p>
  );
}

function Part({ part: { kind, text }, isWhole }: { part: DiffPart; isWhole: boolean }) {
  if (kind === "removed") {
    return (
      <del className="rounded-xs bg-danger-soft text-danger">
        <Ends text={text} />
      </del>
    );
  }
  if (kind === "added") {
    return (
      <ins className="rounded-xs bg-success-soft text-success no-underline">
        <Ends text={text} />
      </ins>
    );
  }
  return <Ends text={text} shown={isWhole ? SHOWN.changed : SHOWN.unchanged} />;
}

function Ends({ text, shown = SHOWN.changed }: { text: string; shown?: number }) {
  const hidden = text.length - 2 * shown;
  if (hidden <= 0) return text;
  return (
    <>
      {firstCharacters(text, shown)}
      <span className="my-2 block text-muted text-sm">… {counted(hidden, "more character")} …</span>
      {lastCharacters(text, shown)}
    </>
  );
}

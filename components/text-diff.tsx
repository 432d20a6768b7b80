import { counted } from "@/lib/counted.ts";
import type { DiffPart } from "@/lib/knowledge/text-diff.ts";

/** Characters at each end of a part that are shown. */
const SHOWN = 10_000;

/** The parts of a comparison, with what was removed and added marked. The middle of a very long part is left out. */
export function TextDiff({ parts }: { parts: DiffPart[] }) {
  return (
    <p className="wrap-anywhere whitespace-pre-wrap leading-relaxed">
      {parts.map((part) => (
        <Part key={part.at} part={part} />
      ))}
    </p>
  );
}

function Part({ part: { kind, text } }: { part: DiffPart }) {
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
  return <Ends text={text} />;
}

function Ends({ text }: { text: string }) {
  const hidden = text.length - 2 * SHOWN;
  if (hidden <= 0) return text;
  return (
    <>
      {text.slice(0, SHOWN)}
      <span className="my-2 block text-muted text-sm">… {counted(hidden, "more character")} …</span>
      {text.slice(-SHOWN)}
    </>
  );
}

import type { DiffPart } from "@/lib/knowledge/text-diff.ts";

/** The parts of a comparison, with what was removed and added marked. */
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
  if (kind === "removed") return <del className="rounded-xs bg-danger-soft text-danger">{text}</del>;
  if (kind === "added") return <ins className="rounded-xs bg-success-soft text-success no-underline">{text}</ins>;
  return text;
}

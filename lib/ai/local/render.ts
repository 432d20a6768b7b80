import type { Passage } from "../passage.ts";
import type { Candidate } from "./evidence.ts";

/**
 * Renders units as an answer: passages in the order of their best unit, units in the order of their passage, each
 * followed by the `[n]` of its passage. Prose forms one paragraph; items and rows get lines of their own.
 */
export function renderUnits(chosen: readonly Candidate[], passages: readonly Passage[]): string {
  const order = [...new Set(chosen.map(({ passage }) => passage))];
  const inOrder = chosen.toSorted((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.place - b.place);
  return inOrder
    .map((candidate, index) => {
      const before = inOrder[index - 1];
      const isProse = candidate.unit.kind === "sentence" && before?.unit.kind === "sentence";
      const separator = before === undefined ? "" : isProse && before.passage === candidate.passage ? " " : "\n";
      return `${separator}${quote(candidate, before, passages[candidate.passage])}`;
    })
    .join("");
}

function quote({ unit, passage }: Candidate, before: Candidate | undefined, source: Passage | undefined): string {
  const text = unit.kind === "item" ? `${leadOf(unit.lead, before, source)}${unit.text}` : unit.text;
  return `${withoutBrackets(text)} [${passage + 1}]`;
}

/** An item without its introduction may say the opposite: "Mining of coins" under "What is not allowed". */
function leadOf(lead: string, before: Candidate | undefined, source: Passage | undefined): string {
  const words = lead || (source?.sourceType === "qa" ? "" : (source?.path.at(-1) ?? ""));
  const isSaid = before?.unit.text === words || before?.unit.kind === "item";
  if (words === "" || isSaid) return "";
  return words.endsWith(":") ? `${words} ` : `${words}: `;
}

/** Replaces a passage's own bracketed numbers, such as footnotes, so that they are not taken for citations. */
function withoutBrackets(text: string): string {
  return text.replaceAll(/\[(\d[\d\s,;–-]*)\]/g, "($1)");
}

import type { ContextChunk } from "../context-chunk.ts";
import type { Candidate } from "./evidence.ts";
import type { Unit } from "./units.ts";

/**
 * Renders units as an answer: chunks in the order of their best unit, units in the order of their chunk, each
 * followed by the `[n]` of its chunk. Prose forms one paragraph; items and rows get lines of their own.
 */
export function renderUnits(chosen: readonly Candidate[], chunks: readonly ContextChunk[]): string {
  const order = [...new Set(chosen.map(({ chunk }) => chunk))];
  const inOrder = chosen.toSorted((a, b) => order.indexOf(a.chunk) - order.indexOf(b.chunk) || a.position - b.position);
  return inOrder
    .map((candidate, index) => {
      const before = inOrder[index - 1];
      const isProse = candidate.unit.kind === "sentence" && before?.unit.kind === "sentence";
      const separator = before === undefined ? "" : isProse && before.chunk === candidate.chunk ? " " : "\n";
      return `${separator}${quote(candidate, before, chunks[candidate.chunk])}`;
    })
    .join("");
}

function quote(candidate: Candidate, before: Candidate | undefined, source: ContextChunk | undefined): string {
  const { unit, chunk } = candidate;
  return `${withoutBrackets(`${leadOf(candidate, before, source)}${unit.text}`)} [${chunk + 1}]`;
}

/**
 * What introduces an item, or a row by its caption. An item without its introduction may say the opposite: "Mining of
 * coins" under "What is not allowed".
 */
function leadOf(
  { unit: { kind, lead, heading }, chunk }: Candidate,
  before: Candidate | undefined,
  source: ContextChunk | undefined,
): string {
  if (kind !== "item" && (kind !== "row" || lead === heading)) return "";
  const words = lead || (source?.sourceType === "qa" ? "" : (source?.path.at(-1) ?? ""));
  const isSaid = before?.chunk === chunk && (before.unit.text === words || isOneList(before.unit, { kind, lead }));
  if (words === "" || isSaid) return "";
  return words.endsWith(":") ? `${words} ` : `${words}: `;
}

/** Whether both are items, or rows, below one line. */
function isOneList(unit: Unit, { kind, lead }: Pick<Unit, "kind" | "lead">): boolean {
  return unit.kind === kind && unit.lead === lead;
}

/** Replaces a chunk's own bracketed numbers, such as footnotes, so that they are not taken for citations. */
function withoutBrackets(text: string): string {
  return text.replaceAll(/\[(\d[\d\s,;–-]*)\]/g, "($1)");
}

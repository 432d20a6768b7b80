import type { Box } from "./boxes.ts";
import type { Run } from "./runs.ts";

/** A line of text, and the right margin of the lines around it. */
export interface Line extends Run {
  margin: number;
}

/** Typical print of the whole document, to compare single lines with. */
export interface Print {
  size: number;
  /** True when most of the text is bold, so that bold type does not mark headings. */
  bold: boolean;
  /** The usual distance between lines, in font sizes. */
  pitch: number;
}

/** A larger distance between lines than this, relative to the usual one, separates paragraphs. */
const PARAGRAPH_PITCH = 1.25;
/** A box with at least this share of the page's width has its own right margin. */
const COLUMN_SHARE = 0.4;
const ITEM = /^(?:[•●○◦▪■‣·–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+\.?(?=\s+\p{Lu}))\s/u;

export function measurePrint(runs: Run[]): Print {
  const size = Number(mostCommon(runs, (run) => String(Math.round(run.size * 2) / 2)));
  const bold = mostCommon(runs, (run) => String(run.bold)) === "true";
  const pitches = runs.flatMap((run, index) => {
    const previous = runs[index - 1];
    const pitch = previous?.page === run.page ? (run.y - previous.y) / run.size : 0;
    return pitch > 0.8 && pitch < 2.5 ? [pitch] : [];
  });
  return { size, bold, pitch: pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 1.2 };
}

function mostCommon(runs: Run[], key: (run: Run) => string): string {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(key(run), (counts.get(key(run)) ?? 0) + run.text.length);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ["", 0])[0];
}

/** The lines of a box. A narrow box uses the margin of the page. */
export function linesOf({ runs, x, right }: Box, page: { x: number; right: number }): Line[] {
  const margin = right - x >= COLUMN_SHARE * (page.right - page.x) ? right : page.right;
  return runs.map((run) => ({ ...run, margin }));
}

/** Whether a line starts a new paragraph instead of continuing the current one. */
export function startsParagraph(paragraph: Line[], line: Line, print: Print): boolean {
  const previous = paragraph.at(-1);
  if (previous === undefined || previous.page !== line.page) return true;
  if (Math.abs(previous.size - line.size) > 0.1 * print.size || previous.headingLevel !== line.headingLevel)
    return true;
  const pitch = (line.y - previous.y) / line.size;
  if (pitch < -0.5 || pitch > print.pitch * PARAGRAPH_PITCH) return true;
  if (isItem(line)) return true;
  if (!print.bold && !line.bold && paragraph.every(({ bold }) => bold)) return true;
  const indent = (line.x - previous.x) / line.size;
  if (paragraph.length > 1 && pitch > 0.5 && indent > 0.8 && indent < 5) return true;
  return /[.!?:]$/.test(previous.text) && previous.right < previous.margin - 0.2 * (previous.margin - previous.x);
}

export function isItem({ text }: Run): boolean {
  return ITEM.test(text);
}

/** Joins wrapped lines. A line that had room for the next word was ended on purpose and stays separate. */
export function joinLines(lines: Line[], words: Set<string>): string {
  return lines.reduce((text, line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined) return line.text;
    return isWrapped(previous, line) ? joinText(text, line.text, words) : `${text}\n${line.text}`;
  }, "");
}

function isWrapped(previous: Line, { text, x, right, y, size }: Line): boolean {
  if (Math.abs(y - previous.y) < 0.5 * size) return true;
  const word = text.split(" ", 1)[0] ?? "";
  const width = ((right - x) / text.length) * (word.length + 1);
  return previous.right + width > previous.margin - 0.1 * (previous.margin - previous.x);
}

/** Joins two lines. Drops a hyphen between them unless the document has the hyphenated word elsewhere. */
export function joinText(text: string, next: string, words: Set<string>): string {
  const head = /(\p{L}+)[-\u00AD\u2010]$/u.exec(text)?.[1];
  const tail = /^\p{Ll}+/u.exec(next)?.[0];
  if (head === undefined || tail === undefined) return `${text} ${next}`;
  const hyphenated = words.has(`${head}-${tail}`.toLowerCase()) && !words.has(`${head}${tail}`.toLowerCase());
  return hyphenated ? `${text}${next}` : `${text.slice(0, -1)}${next}`;
}

/** Every word of the document that is not at a line end, in lower case. */
export function wordsWithin(runs: Run[]): Set<string> {
  const words = new Set<string>();
  for (const { text } of runs) {
    for (const [word] of text.matchAll(/\p{L}+(?:-\p{L}+)*(?=.)/gu)) words.add(word.toLowerCase());
  }
  return words;
}

import type { Language } from "../../language/function-words.ts";
import { BEFORE_NUMBER, NEVER_LAST } from "./abbreviations.ts";

/** The smallest piece that an answer quotes, in the words of the chunk, with white space collapsed. */
export type Unit = {
  text: string;
  /** `step` is an item of a numbered list, `row` a line of a table. */
  kind: "sentence" | "item" | "step" | "row";
  /** The nearest heading above the unit; empty when there is none. */
  heading: string;
  /** For an item, step or row: the line that introduces its list, else the heading. */
  lead: string;
  /** Paragraph, list or table that the unit belongs to, counted from 0 within the chunk. */
  block: number;
};

const HEADING = /^#{1,6}\s+(.+)$/;
const BULLET = /^(?:[-*+•‣◦▪·–—]|\[[ x]\])\s+(.*)$/i;
const STEP = /^(?:\d{1,2}[.)]|[a-z]\))\s+\S/i;
const FENCE = /^(?:```|~~~)/;
const PIPE_ROW = /^\|(.*)\|$/;
const PIPE_RULE = /^[\s|:-]+$/;
const CELL_ROW = /^[^:;.!?]{1,60}: [^;]+; \S/;
/** Between a sentence that ends in a footnote mark, as "free.[3]", and the next; the Unicode rules miss that end. */
const AFTER_NOTE = /(?<=[.!?](?:\[\d+\])+ )(?=\p{Lu})/u;
const TITLE_LENGTH_MAX = 70;
const UNIT_LENGTH_MAX = 600;
/** A line that is at least this long was wrapped; a shorter one was ended on purpose. */
const WRAPPED_LENGTH_MIN = 60;
/** Long enough to hold any abbreviation at the end of a sentence; looking back further would take quadratic time. */
const END_LENGTH = 40;
const INTERJECTION_LENGTH_MAX = 14;

/**
 * Cuts the content of a chunk into units: sentences of its paragraphs, items of its lists, rows of its tables.
 * Headings are not units; they become the context of the units below them.
 */
export function splitUnits(content: string, language: Language): Unit[] {
  const units: Unit[] = [];
  let heading = "";
  let lead = "";
  const blocks = blocksOf(content);
  for (const [block, lines] of blocks.entries()) {
    const title = titleOf(lines, block === blocks.length - 1);
    if (title !== undefined) {
      heading = title;
      lead = "";
      continue;
    }
    for (const { kind, text } of piecesOf(lines)) {
      const texts = kind === "sentence" ? sentencesOf(text, language) : [text];
      for (const piece of texts.flatMap(splitToLength))
        units.push({ kind, text: piece, heading, lead: lead || heading, block });
      if (kind === "sentence") lead = text.endsWith(":") ? (texts.at(-1) ?? "") : "";
    }
  }
  return units;
}

/**
 * Splits a paragraph into sentences by Unicode's rules, and rejoins those cut at an abbreviation, an initial or a date.
 */
export function sentencesOf(paragraph: string, language: Language): string[] {
  const sentences: string[] = [];
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  const segments = paragraph.split(AFTER_NOTE).flatMap((part) => [...segmenter.segment(part)]);
  let start = 0;
  let end = 0;
  for (const [index, { segment }] of segments.entries()) {
    end += segment.length;
    const next = segments[index + 1]?.segment;
    if (next !== undefined) {
      if (end - start <= INTERJECTION_LENGTH_MAX && isInterjection(paragraph.slice(start, end))) continue;
      if (sentenceContinues(paragraph.slice(Math.max(start, end - END_LENGTH), end), next, language)) continue;
    }
    sentences.push(paragraph.slice(start, end).trim());
    start = end;
  }
  return sentences.filter((sentence) => sentence !== "");
}

/** Whether a sentence, such as "No." or "Yes, free.", means nothing without the next one. */
function isInterjection(text: string): boolean {
  return text.trim().split(/\s+/).length <= 2;
}

/** Whether the sentence continues after a full stop. */
function sentenceContinues(text: string, next: string, language: Language): boolean {
  if (/^\p{Ll}/u.test(next) || /\[\s*$/.test(text)) return true;
  const last = /(\S+)\.["'”’)\]]*\s*$/u
    .exec(text)?.[1]
    ?.toLowerCase()
    .replace(/^.*["'“‘’([]/u, "");
  if (last === undefined) return false;
  if (/^\p{L}$/u.test(last) || NEVER_LAST.has(last)) return true;
  if (/^\d/.test(next)) return BEFORE_NUMBER.has(last) || /^\d{1,2}$/.test(last);
  return language === "de" && /^\d{1,2}$/.test(last);
}

/** Groups lines by blank line. A Markdown heading is a block of its own, wherever it is. */
function blocksOf(content: string): string[][] {
  const blocks: string[][] = [[]];
  for (const line of content.split(/\r?\n/).map((line) => line.replaceAll(/\s+/gu, " ").trimEnd())) {
    if (line === "") blocks.push([]);
    else if (isHeading(line)) blocks.push([line.trim()], []);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((lines) => lines.length > 0);
}

/** Whether a line is marked as a heading in Markdown, or is all in capitals. */
function isHeading(line: string): boolean {
  return HEADING.test(line.trim()) || /^(?=.{4,70}$)(?!.*[.!?:;,]$)\P{Ll}*\p{Lu}{3}\P{Ll}*$/u.test(line);
}

/**
 * Returns the heading if the block is one: a marked line, or a single short line that does not end like a sentence and
 * is not the last block.
 */
function titleOf(lines: string[], isLast: boolean): string | undefined {
  const [line = "", second] = lines;
  if (isLast || second !== undefined) return undefined;
  if (isHeading(line)) return markedHeading(line) ?? line;
  if (line.length > TITLE_LENGTH_MAX || /[.!:;,…\d)\]]$|[:|]/u.test(line)) return undefined;
  return BULLET.test(line) || STEP.test(line) ? undefined : line.trim();
}

/** The text of a Markdown heading, without a closing run of `#`. */
function markedHeading(line: string): string | undefined {
  const text = HEADING.exec(line)?.[1];
  if (text === undefined) return undefined;
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end).trim() || text.slice(0, 1);
}

type Piece = Pick<Unit, "kind" | "text">;

/** A piece to which lines may still be added. */
interface OpenPiece {
  kind: Unit["kind"];
  lines: string[];
  length: number;
}

/** Joins the lines of a block that belong together: wrapped paragraphs, and items that continue below their marker. */
function piecesOf(lines: string[]): Piece[] {
  const pieces: OpenPiece[] = [];
  for (const line of lines) {
    const piece = pieceOf(line.trim());
    const open = pieces.at(-1);
    if (piece === null) continue;
    if (piece.kind === "sentence" && open && continuesPiece(line, open)) {
      open.lines.push(piece.text);
      open.length += piece.text.length + 1;
    } else pieces.push({ kind: piece.kind, lines: [piece.text], length: piece.text.length });
  }
  return pieces.map(({ kind, lines: own }) => ({ kind, text: own.join(" ") }));
}

function continuesPiece(line: string, { kind, lines, length }: OpenPiece): boolean {
  if (kind === "row") return false;
  if (kind !== "sentence" && line.startsWith(" ")) return true;
  const end = lines.at(-1)?.at(-1) ?? "";
  if (/[.!?:;]/.test(end)) return false;
  return /^\p{Ll}/u.test(line) || end === "," || length >= WRAPPED_LENGTH_MIN;
}

function pieceOf(line: string): Piece | null {
  if (FENCE.test(line) || PIPE_RULE.test(line)) return null;
  const cells = PIPE_ROW.exec(line)?.[1];
  if (cells !== undefined) return { kind: "row", text: cells.trim() };
  const item = BULLET.exec(line)?.[1];
  if (item !== undefined) return { kind: "item", text: item };
  if (STEP.test(line)) return { kind: "step", text: line };
  return { kind: CELL_ROW.test(line) ? "row" : "sentence", text: line };
}

/** Cuts text without full stops, such as a legal enumeration, at semicolons, or at words when that is not enough. */
function splitToLength(text: string): string[] {
  if (text.length <= UNIT_LENGTH_MAX) return [text];
  const parts = text.match(/.{1,600}(?:; |$)|.{1,600}(?: |$)|.{1,600}/gsu) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

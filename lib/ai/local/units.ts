import type { Language } from "../../language/function-words.ts";
import { isRunInHeading } from "./run-in-heading.ts";
import { sentencesOf } from "./sentences.ts";

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
const TITLE_LENGTH_MAX = 70;
const UNIT_LENGTH_MAX = 600;
/** A line that is at least this long was wrapped; a shorter one was ended on purpose. */
const WRAPPED_LENGTH_MIN = 60;
/** A longer item is prose with a number, such as a clause of a contract, and is quoted sentence by sentence. */
const ITEM_LENGTH_MAX = 350;
const STEP_NUMBER = /^(?:\d{1,2}[.)]|[a-z]\)) (?=\S)/i;
/** A day and a month, not the number of a section: the day is above 12, or a small letter or a digit follows. */
const DATE = "(?:1[3-9]|2\\d|3[01])\\.(?:0?[1-9]|1[0-2])\\. |(?:0?[1-9]|1[0-2])\\.(?:0?[1-9]|1[0-2])\\. [\\p{Ll}\\d]";
/** Units with a capital letter in German. */
const COUNTED =
  "Euro|Franken|Dollar|Cent|Pfund|Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr|Prozent|Meter|Kilo|Liter|Giga|Mega|Million|Milliarde";
/** Numbers and marks that begin a text and say nothing in an answer: "4.2.1", "4.2 Audits", "(b)", "•", but not "2.5 GB". */
const OPENING_MARKS = new RegExp(
  [
    `^(?:(?!${DATE})(?:\\d{1,2}\\.){2,4}\\d{0,2}`,
    `\\d{1,2}\\.\\d{1,2}(?= \\p{Lu}\\p{Ll}{4})(?! (?:${COUNTED}))`,
    "\\([a-z\\d]{1,3}\\)|[ivx]{1,4}\\)|[•·*>|†‡–—]+) (?=\\S)",
  ].join("|"),
  "u",
);
const CLOSING_MARKS = /(?<=\S)[ \t]*[*†‡|]+$/;
const LABEL = /^[^:.!?]{2,60}:$/;
const VALUE_LENGTH_MAX = 60;
/** "Table 2: Fees", in seven languages. */
const CAPTION = /^(?:table|tabella|tabla|tabelle|tableau|tabela|tabel|tab\.) ?(?:\d|[IVX]+\b)/i;
const CAPTION_LENGTH_MAX = 150;

/**
 * Cuts the content of a chunk into units: sentences of its paragraphs, items of its lists, rows of its tables.
 * Headings are not units; they become the context of the units below them.
 */
export function splitUnits(content: string, language: Language): Unit[] {
  const units: Unit[] = [];
  let [heading, lead, block] = ["", "", 0];
  const blocks = blocksOf(content);
  for (const [index, lines] of blocks.entries()) {
    const title = titleOf(lines, index === blocks.length - 1);
    if (title !== undefined) {
      [heading, lead] = [title, ""];
      continue;
    }
    const pieces = piecesOf(lines);
    if (!continuesList(pieces[0], units.at(-1))) block++;
    for (const piece of pieces) {
      const { kind, texts, about } = textsOf(piece, lead, language);
      const isTakenApart = kind !== piece.kind;
      if (isTakenApart) block++;
      for (const text of texts.flatMap(splitToLength)) {
        units.push({ kind, text, heading: about || heading, lead: lead || heading, block });
      }
      if (isTakenApart) block++;
      if (kind === "sentence") lead = introduces(piece.text) ? (texts.at(-1) ?? "") : "";
    }
  }
  return units;
}

/** Whether a text introduces the list or the table below it. */
function introduces(text: string): boolean {
  return text.endsWith(":") || (text.length <= CAPTION_LENGTH_MAX && CAPTION.test(text));
}

/** Whether a block goes on with the list above it, after a blank line. */
function continuesList(first: Piece | undefined, last: Unit | undefined): boolean {
  return first !== undefined && first.kind !== "sentence" && first.kind === last?.kind;
}

/** The texts of a piece as units: an item whole unless it is long and no list needs it; prose by sentence. */
function textsOf({ kind, text }: Piece, lead: string, language: Language): Pick<Unit, "kind"> & Texts {
  const isWhole = kind === "row" || (kind !== "sentence" && (text.length <= ITEM_LENGTH_MAX || lead !== ""));
  if (isWhole) return { kind, texts: [text], about: "" };
  const [first = "", second, ...rest] = sentencesOf(withoutMarks(text, kind), language);
  const isHeading = second !== undefined && isRunInHeading(first, language);
  const texts = second === undefined ? [first] : isHeading ? [`${first} ${second}`, ...rest] : [first, second, ...rest];
  return { kind: "sentence", texts: texts.filter((each) => each !== ""), about: isHeading ? first : "" };
}

/** `about` is the heading that runs into the first text; empty when there is none. */
interface Texts {
  texts: string[];
  about: string;
}

/** Without the number or marks around a text, unless nothing else is there. */
function withoutMarks(text: string, kind: Unit["kind"]): string {
  return text.replace(kind === "step" ? STEP_NUMBER : OPENING_MARKS, "").replace(CLOSING_MARKS, "");
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
  if (isLast || second !== undefined || CAPTION.test(line)) return undefined;
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
  if (kind === "sentence" && lines.length === 1 && isLabelled(lines[0] ?? "", line)) return true;
  const end = lines.at(-1)?.at(-1) ?? "";
  if (/[.!?:;]/.test(end)) return false;
  return /^\p{Ll}/u.test(line) || end === "," || length >= WRAPPED_LENGTH_MIN;
}

/** Whether a line is the value of a label in the line above. */
function isLabelled(label: string, line: string): boolean {
  return LABEL.test(label) && line.length <= VALUE_LENGTH_MAX && !line.endsWith(":");
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

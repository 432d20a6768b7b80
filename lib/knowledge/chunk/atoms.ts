import { sentenceSegmenter } from "../../language/sentence-segmenter.ts";
import type { Block } from "../parse/document.ts";

/** The kinds of places to cut before an atom. Lower is better. */
const CUT = { block: 0, item: 1, lead: 2, sentence: 3, piece: 4 } as const;

/** The smallest unit that chunks are built from: a paragraph, a list item, a table row or a sentence. */
export interface Atom {
  text: string;
  /** Tokens. */
  size: number;
  cut: (typeof CUT)[keyof typeof CUT];
  /** The text between this atom and the one before. */
  glue: string;
  /** The sentence that introduces the list of this atom. A chunk that starts here repeats it. */
  lead: { text: string; size: number } | null;
  page: number | null;
}

export interface Measure {
  /** The size of a text in tokens, with a minimum that grows with its length. */
  sizeOf: (text: string) => number;
  /** The maximum size of a chunk's content, in tokens. */
  max: number;
}

type Piece = Pick<Atom, "text" | "cut" | "glue">;

/** An introduction that would fill a larger share of a chunk is not repeated. */
const LEAD_SHARE_MAX = 0.2;
/** Text up to this share of a chunk is not split into sentences. */
const WHOLE_SHARE_MAX = 0.5;

/** Longer column names are written once, not in every row. */
const COLUMN_NAME_LENGTH_MAX = 200;

/** An overlong word is first cut into slices of this many characters. */
const WORD_SLICE = 1_000;

/** Splits the text of one section lazily. Headings do not belong to the text of a section. */
export function* atomsFromBlocks(blocks: Block[], measure: Measure): Generator<Atom> {
  let lead: Atom["lead"] = null;
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    const goesOn = block.kind === "list" && before?.kind === "list" && block.page !== before.page;
    if (!goesOn) lead = leadOf(before, block, measure);
    const page = block.kind === "heading" ? null : (block.page ?? null);
    // a list that goes on after a page break stays one list
    let first = !goesOn;
    for (const piece of pieces(block, measure)) {
      const size = measure.sizeOf(piece.text);
      if (first) yield { ...piece, cut: lead === null ? CUT.block : CUT.lead, glue: "\n\n", size, lead: null, page };
      else yield { ...piece, size, lead, page };
      first = false;
    }
  }
}

/** A paragraph that ends with a colon introduces the list, table or code after it. */
function leadOf(before: Block | undefined, block: Block, { sizeOf, max }: Measure): Atom["lead"] {
  if (before?.kind !== "paragraph" || block.kind === "paragraph" || !before.text.endsWith(":")) return null;
  const text = [...splitSentences(before.text)].at(-1)?.text ?? before.text;
  const size = sizeOf(text);
  return size <= max * LEAD_SHARE_MAX ? { text, size } : null;
}

function* pieces(block: Block, measure: Measure): Generator<Piece> {
  switch (block.kind) {
    case "heading":
      return;
    case "paragraph":
      return yield* splitText(block.text, measure);
    case "list":
    case "code":
      return yield* items(block.text.split("\n"), measure);
    case "table":
      return yield* items(tableLines(block.header, block.rows), measure);
  }
}

function* items(lines: Iterable<string>, measure: Measure): Generator<Piece> {
  for (const line of lines) {
    let first = true;
    for (const piece of splitText(line, measure)) {
      yield first ? { ...piece, cut: CUT.item, glue: "\n" } : piece;
      first = false;
    }
  }
}

/** Names the column of each value in every row, so that a row can be read and found on its own. */
function* tableLines(header: string[], rows: string[][]): Generator<string> {
  const all = header.filter((name) => name !== "").join("; ");
  const isName = (name: string) => name.length <= COLUMN_NAME_LENGTH_MAX;
  const names = header.map((name) => (isName(name) ? name : ""));
  if (rows.length === 0 || !header.every(isName)) yield all;
  for (const row of rows) {
    const [name = "", value = ""] = row;
    if (header.length === 0 && row.length === 2 && name !== "" && value !== "") {
      yield `${name}: ${value}`;
      continue;
    }
    const cells = row.map((cell, column) => (names[column] && cell !== "" ? `${names[column]}: ${cell}` : cell));
    yield cells.filter((cell) => cell !== "").join("; ");
  }
}

/** A small text as one piece, otherwise its sentences, and the words of an overlong sentence. */
function* splitText(text: string, measure: Measure): Generator<Piece> {
  if (measure.sizeOf(text) <= measure.max * WHOLE_SHARE_MAX) {
    yield { text, cut: CUT.sentence, glue: "" };
    return;
  }
  for (const sentence of splitSentences(text)) {
    if (measure.sizeOf(sentence.text) <= measure.max) yield { ...sentence, cut: CUT.sentence };
    else yield* wordPieces(sentence, measure);
  }
}

/** Each word as one piece, so that cuts between words depend on the text like all other cuts. */
function* wordPieces(sentence: { text: string; glue: string }, measure: Measure): Generator<Piece> {
  let before = "";
  let glue = sentence.glue;
  for (const word of words(sentence.text)) {
    const cut = before === "" || /[.!?;:,]$/.test(before) ? CUT.sentence : CUT.piece;
    for (const [index, text] of splitCharacters(word, measure).entries()) {
      yield index === 0 ? { text, cut, glue } : { text, cut: CUT.piece, glue: "" };
    }
    before = word;
    glue = " ";
  }
}

function* splitSentences(text: string): Generator<{ text: string; glue: string }> {
  let glue = "";
  for (const { segment } of sentenceSegmenter(null).segment(text)) {
    const own = { text: segment.trim(), glue };
    const space = segment.slice(segment.trimEnd().length);
    glue = space.includes("\n") ? "\n" : space && " ";
    if (own.text !== "") yield own;
  }
}

/** The longest start of a text that fits the measure, cut between words, or inside the first word if it alone is too long. */
export function clip(text: string, measure: Measure): string {
  if (measure.sizeOf(text) <= measure.max) return text;
  let clipped = "";
  let size = 0;
  for (const word of words(text)) {
    if (clipped === "") {
      clipped = splitCharacters(word, measure)[0] ?? "";
      if (clipped !== word) break;
      size = measure.sizeOf(clipped);
      continue;
    }
    size += measure.sizeOf(word);
    if (size > measure.max) break;
    clipped = `${clipped} ${word}`;
  }
  return clipped;
}

function* words(text: string): Generator<string> {
  for (const [word] of text.matchAll(/\S+/g)) yield word;
}

/** Splits a text without spaces into parts that fit. */
function splitCharacters(word: string, measure: Measure): string[] {
  if (measure.sizeOf(word) <= measure.max) return [word];
  if (word.length <= WORD_SLICE) return halve(word, measure);
  const slices: string[] = [];
  for (let start = 0; start < word.length; ) {
    const pair = (word.codePointAt(start + WORD_SLICE - 1) ?? 0) > 0xffff;
    const end = start + WORD_SLICE + (pair ? 1 : 0);
    slices.push(word.slice(start, end));
    start = end;
  }
  return slices.flatMap((slice) => splitCharacters(slice, measure));
}

function halve(word: string, measure: Measure): string[] {
  const characters = [...word];
  if (characters.length === 1) return [word];
  const middle = Math.ceil(characters.length / 2);
  const halves = [characters.slice(0, middle).join(""), characters.slice(middle).join("")];
  return halves.flatMap((half) => splitCharacters(half, measure));
}

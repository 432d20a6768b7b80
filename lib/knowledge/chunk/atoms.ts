import type { Block } from "../parse/document.ts";

/** How bad it is to cut before an atom; a cut of a lower kind is preferred. */
export const CUT = { block: 0, item: 1, lead: 2, sentence: 3, piece: 4 } as const;

/** The smallest unit that chunks are put together from: a paragraph, an item, a row, a sentence. */
export interface Atom {
  text: string;
  /** Tokens. */
  size: number;
  cut: (typeof CUT)[keyof typeof CUT];
  /** What stands between it and the atom before it. */
  glue: string;
  /** What a chunk that begins here repeats first: the sentence that leads into its list. */
  lead: { text: string; size: number } | null;
  page: number | null;
}

export interface Measure {
  /** The size of a text in tokens, never less than its length warrants. */
  sizeOf: (text: string) => number;
  /** The most that a chunk's content may measure. */
  max: number;
}

type Piece = Pick<Atom, "text" | "cut" | "glue">;

/** Leads that take more of a chunk than this are not repeated. */
const LEAD_SHARE_MAX = 0.2;
/** Only what is longer than this part of a chunk is taken apart into sentences. */
const WHOLE_SHARE_MAX = 0.5;

/** A longer column's name is said once, not in every row. */
const COLUMN_NAME_LENGTH_MAX = 200;

/** A word without end is first cut into slices of this many characters. */
const WORD_SLICE = 1_000;

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Takes the text of one section apart. Headings are no text of a section. */
export function atomsFromBlocks(blocks: Block[], measure: Measure): Atom[] {
  return blocks.flatMap((block, index) => {
    const lead = leadOf(blocks[index - 1], block, measure);
    const page = block.kind === "heading" ? null : (block.page ?? null);
    return pieces(block, measure).map(
      (piece, position): Atom => ({
        ...piece,
        ...(position === 0 && { cut: lead === null ? CUT.block : CUT.lead, glue: "\n\n" }),
        size: measure.sizeOf(piece.text),
        lead: position === 0 ? null : lead,
        page,
      }),
    );
  });
}

/** A paragraph that ends in a colon leads into the list, table or code after it. */
function leadOf(before: Block | undefined, block: Block, { sizeOf, max }: Measure): Atom["lead"] {
  if (before?.kind !== "paragraph" || block.kind === "paragraph" || !before.text.endsWith(":")) return null;
  const text = splitSentences(before.text).at(-1)?.text ?? before.text;
  const size = sizeOf(text);
  return size <= max * LEAD_SHARE_MAX ? { text, size } : null;
}

function pieces(block: Block, measure: Measure): Piece[] {
  switch (block.kind) {
    case "heading":
      return [];
    case "paragraph":
      return takeApart(block.text, measure);
    case "list":
    case "code":
      return block.text.split("\n").flatMap((line) => asItem(takeApart(line, measure)));
    case "table":
      return tableLines(block.header, block.rows).flatMap((line) => asItem(takeApart(line, measure)));
  }
}

function asItem([first, ...rest]: Piece[]): Piece[] {
  return first === undefined ? [] : [{ ...first, cut: CUT.item, glue: "\n" }, ...rest];
}

/** Every row says what its values are, so that it can be read, and found, by itself. */
function tableLines(header: string[], rows: string[][]): string[] {
  const all = header.filter((name) => name !== "").join("; ");
  if (rows.length === 0) return [all];
  const isName = (name: string) => name.length <= COLUMN_NAME_LENGTH_MAX;
  const names = header.map((name) => (isName(name) ? name : ""));
  const lines = rows.map((row) => {
    const [name = "", value = ""] = row;
    if (header.length === 0 && row.length === 2 && name !== "" && value !== "") return `${name}: ${value}`;
    const cells = row.map((cell, column) => (names[column] && cell !== "" ? `${names[column]}: ${cell}` : cell));
    return cells.filter((cell) => cell !== "").join("; ");
  });
  return header.every(isName) ? lines : [all, ...lines];
}

/** A text in one piece if that is small, else its sentences, and the words of a sentence that is too long. */
function takeApart(text: string, measure: Measure): Piece[] {
  if (measure.sizeOf(text) <= measure.max * WHOLE_SHARE_MAX) return [{ text, cut: CUT.sentence, glue: "" }];
  return splitSentences(text).flatMap((sentence) => {
    if (measure.sizeOf(sentence.text) <= measure.max) return [{ ...sentence, cut: CUT.sentence }];
    const [first, ...rest] = wordPieces(sentence.text, measure);
    return first === undefined ? [] : [{ ...first, cut: CUT.sentence, glue: sentence.glue }, ...rest];
  });
}

/** Every word by itself, so that the cuts between them follow the text as all others do. */
function wordPieces(sentence: string, measure: Measure): Piece[] {
  const words = splitWords(sentence);
  return words.flatMap((word, place) => {
    const cut = /[.!?;:,]$/.test(words[place - 1] ?? "") ? CUT.sentence : CUT.piece;
    return splitCharacters(word, measure).map(
      (text, index): Piece => (index === 0 ? { text, cut, glue: " " } : { text, cut: CUT.piece, glue: "" }),
    );
  });
}

function splitSentences(text: string): { text: string; glue: string }[] {
  let glue = "";
  return [...sentences.segment(text)].flatMap(({ segment }) => {
    const own = { text: segment.trim(), glue };
    const space = segment.slice(segment.trimEnd().length);
    glue = space.includes("\n") ? "\n" : space && " ";
    return own.text === "" ? [] : [own];
  });
}

/** The beginning of a text that fits the measure, cut between words, or inside the first if that alone is too long. */
export function clip(text: string, measure: Measure): string {
  if (measure.sizeOf(text) <= measure.max) return text;
  const [first = "", ...rest] = splitWords(text);
  let [clipped = ""] = splitCharacters(first, measure);
  let size = measure.sizeOf(clipped);
  for (const word of clipped === first ? rest : []) {
    size += measure.sizeOf(word);
    if (size > measure.max) break;
    clipped = `${clipped} ${word}`;
  }
  return clipped;
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Takes what has no spaces apart into parts that fit. */
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

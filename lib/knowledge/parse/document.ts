import { cleanText } from "../../text.ts";

/** One part of a document, in reading order. `level` is 1 for the highest heading, and `page` starts at 1. */
export type Block =
  | { kind: "heading"; level: number; text: string; page?: number }
  | { kind: "paragraph" | "list" | "code"; text: string; page?: number }
  | { kind: "table"; header: string[]; rows: string[][]; page?: number };

/** What a document says about itself, for example in its front matter. */
export type ReadMetadata = Record<string, string | number | boolean>;

export interface Attachment {
  /** Without a path, different for each attachment of a message. */
  fileName: string;
  bytes: Uint8Array;
}

/**
 * The result of every parser. `title` is the document's own title, and `metadata` has scalars, for example from front
 * matter.
 */
export interface ParsedDocument {
  title: string | null;
  blocks: Block[];
  metadata: ReadMetadata;
  /** The files that an email carries. */
  attachments?: Attachment[];
  /** What people should know about how well the file was read, in whole sentences. */
  notice?: string;
}

/** A page whose text was recognised. */
export interface RecognisedPage {
  /** From 1. */
  page: number;
  /** Null if the page took too long. */
  text: string | null;
  /** In percent, as Tesseract measures it; 0 without text. */
  confidence: number;
}

/** How many pages were recognised, of those that need it. */
export interface ReadingProgress {
  done: number;
  total: number;
  /** The page that was recognised last, so that a later attempt need not recognise it again. */
  recognised?: RecognisedPage;
}

/** Reads a document that takes long. Reports the progress before each page and returns the document. */
export type Reading = AsyncGenerator<ReadingProgress, ParsedDocument>;

/** A file that cannot be read. The message tells the person who added the file why, and what to do. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** @param damage what is wrong, if it is known */
export function damagedFile(damage?: string, options?: ErrorOptions): UnreadableFile {
  const what = damage === undefined ? "" : `: ${damage}`;
  return new UnreadableFile(`The file is damaged${what}. Open it, save it again and add the new file.`, options);
}

export function tooDeeplyNested(options?: ErrorOptions): UnreadableFile {
  const message =
    "The content is nested too deeply to read. Remove some levels of lists, quotes or tables and add it again.";
  return new UnreadableFile(message, options);
}

/** The same limit as for a title from the API. */
const TITLE_LENGTH_MAX = 1_000;

/** Marks where a line break may split a word. Inside a text it only prevents finding the word. */
const SOFT_HYPHEN = /\u00AD/g;

/** Collapses white space inside lines and drops blank lines. */
export function tidyLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Replaces each run of white space, including line ends, by one space. */
export function tidyLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Cleans all texts of a document and drops empty blocks. */
export function cleanDocument({ title, blocks, metadata, notice, attachments }: ParsedDocument): ParsedDocument {
  const cleanTitle = title === null ? "" : tidyLine(clean(title));
  return {
    title: cleanTitle === "" ? null : cleanTitle,
    blocks: blocks.map(cleanBlock).filter((block) => !isEmpty(block)),
    metadata: cleanMetadata(metadata),
    ...(attachments && { attachments }),
    ...(notice === undefined ? {} : { notice }),
  };
}

/** The longest list of recipients that somebody filters by. */
const METADATA_VALUE_MAX = 1_000;
const METADATA_NAME_MAX = 200;
const METADATA_ENTRIES_MAX = 50;

function cleanMetadata(metadata: ReadMetadata): ReadMetadata {
  const entries = Object.entries(metadata).map(([name, value]) => {
    const text = typeof value === "string" ? clean(value).slice(0, METADATA_VALUE_MAX).toWellFormed() : value;
    return [clean(name), text] as const;
  });
  const named = entries.filter(([name]) => name !== "" && name.length <= METADATA_NAME_MAX);
  return Object.fromEntries(named.slice(0, METADATA_ENTRIES_MAX));
}

/**
 * The title to show, at most 1,000 characters: the document's own title, otherwise its first heading, otherwise the
 * file name.
 */
export function documentTitle(document: ParsedDocument, fileName: string): string {
  const heading = document.blocks.find((block) => block.kind === "heading");
  const title = document.title ?? heading?.text ?? clean(fileName);
  return title.slice(0, TITLE_LENGTH_MAX).toWellFormed();
}

function cleanBlock(block: Block): Block {
  if (block.kind === "table") {
    return { ...block, header: block.header.map(cleanCell), rows: block.rows.map((row) => row.map(cleanCell)) };
  }
  const text = clean(block.text);
  if (block.kind === "heading") return { ...block, text: tidyLine(text) };
  return { ...block, text: block.kind === "code" ? text.trimEnd().replace(/^\n+/, "") : text.trim() };
}

function cleanCell(cell: string): string {
  return tidyLine(clean(cell));
}

function isEmpty(block: Block): boolean {
  if (block.kind !== "table") return block.text === "";
  return [block.header, ...block.rows].every((row) => row.every((cell) => cell === ""));
}

function clean(text: string): string {
  return cleanText(text).replace(SOFT_HYPHEN, "");
}

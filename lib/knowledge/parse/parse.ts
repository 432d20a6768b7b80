import { FILE_BYTES_MAX } from "../limits.ts";
import { readCsv } from "./csv.ts";
import { decodeText } from "./decode.ts";
import { detectFormat } from "./detect-format.ts";
import { cleanDocument, type ParsedDocument, UnreadableFile } from "./document.ts";
import { parseDocx } from "./docx.ts";
import { parseEpub } from "./epub.ts";
import type { Format } from "./formats.ts";
import { parseHtml } from "./html.ts";
import { parseMarkdown } from "./markdown.ts";
import { parseOdt } from "./odt.ts";
import { parsePdf } from "./pdf/pdf.ts";
import { parsePptx } from "./pptx.ts";
import { documentFromCsv, documentFromWorkbook, readWorkbook, type Sheet } from "./sheet.ts";
import { parseText } from "./text.ts";

/** The parser of each format. */
const PARSERS: Record<Format, (bytes: Uint8Array) => ParsedDocument | Promise<ParsedDocument>> = {
  pdf: parsePdf,
  docx: parseDocx,
  pptx: parsePptx,
  odt: parseOdt,
  // libraries that few files need are loaded with the first of them
  rtf: async (bytes) => (await import("./rtf.ts")).parseRtf(bytes),
  epub: parseEpub,
  eml: async (bytes) => (await import("./eml.ts")).parseEml(bytes),
  msg: async (bytes) => (await import("./msg.ts")).parseMsg(bytes),
  xlsx: (bytes) => documentFromWorkbook(readWorkbook(bytes)),
  csv: (bytes) => documentFromCsv(readCsv(decodeText(bytes))),
  html: (bytes) => parseHtml(decodeText(bytes)),
  markdown: (bytes) => parseMarkdown(decodeText(bytes)),
  text: (bytes) => parseText(decodeText(bytes)),
};

/**
 * Reads a file of any supported format in this process; `parseFile` does the same in a child that can be killed.
 * @throws {UnreadableFile} with the reason
 */
export async function parseBytes(bytes: Uint8Array, fileName: string): Promise<ParsedDocument> {
  refuseTooLarge(bytes.length);
  return await withReadableErrors(async () => {
    const format = await detectFormat(bytes, fileName);
    const document = cleanDocument(await PARSERS[format](bytes));
    if (document.blocks.length === 0) throw new UnreadableFile("The file contains no text.");
    return document;
  });
}

/** The rows of a CSV file, or of every visible sheet of a workbook. @throws {UnreadableFile} with the reason */
export async function parseSheets(bytes: Uint8Array, fileName: string): Promise<Sheet[]> {
  refuseTooLarge(bytes.length);
  return await withReadableErrors(async () => {
    const format = await detectFormat(bytes, fileName);
    if (format === "csv") return [readCsv(decodeText(bytes))];
    if (format === "xlsx") return readWorkbook(bytes).sheets;
    throw new UnreadableFile("The file is neither CSV nor an Excel workbook.");
  });
}

/** Reads text that is not from a file. It is always read as Markdown, and may be empty. */
export async function parseMarkdownBytes(bytes: Uint8Array): Promise<ParsedDocument> {
  return await withReadableErrors(async () => cleanDocument(parseMarkdown(Buffer.from(bytes).toString("utf8"))));
}

/** @throws {UnreadableFile} above the limit of 50 MB */
export function refuseTooLarge(bytes: number): void {
  if (bytes <= FILE_BYTES_MAX) return;
  const size = Math.ceil(bytes / 1024 / 1024);
  throw new UnreadableFile(`The file is larger than 50 MB (${size} MB). Split it and add the parts.`);
}

/** Converts any error of a library into an `UnreadableFile`. */
async function withReadableErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    if (error instanceof RangeError && /call stack/i.test(error.message)) {
      throw new UnreadableFile("The file is nested too deeply to be read.", { cause: error });
    }
    throw new UnreadableFile("The file is damaged. Open it, save it again and add the new file.", {
      cause: error,
    });
  }
}

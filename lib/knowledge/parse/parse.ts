import { returnValueOf } from "../../return-value-of.ts";
import { readCsv } from "./csv.ts";
import { decodeHtml, decodeText } from "./decode.ts";
import { detectFormat } from "./detect-format.ts";
import {
  type Attachment,
  cleanDocument,
  damagedFile,
  type ParsedDocument,
  type Reading,
  type RecognisedPage,
  tooDeeplyNested,
  UnreadableFile,
} from "./document.ts";
import { refuseTooLarge } from "./file-size.ts";
import { extensionOf, type Format } from "./formats.ts";
import { documentFromCsv, type Sheet } from "./sheet.ts";
import { parseText } from "./text.ts";
import { type WantedRows, wantedRows } from "./wanted-rows.ts";

/**
 * @param languages the languages to recognise text in, on pages that have none; empty for none
 * @param known pages that an earlier attempt recognised
 */
type Parser = (
  bytes: Uint8Array,
  languages: readonly string[],
  known: readonly RecognisedPage[],
) => ParsedDocument | Promise<ParsedDocument> | Reading;

/** Loads the parser of each format: its libraries are needed only for such files. */
const PARSERS: Record<Format, () => Promise<Parser>> = {
  pdf: async () => (await import("./pdf/pdf.ts")).parsePdf,
  docx: async () => (await import("./docx.ts")).parseDocx,
  pptx: async () => (await import("./pptx.ts")).parsePptx,
  odt: async () => (await import("./odt.ts")).parseOdt,
  rtf: async () => (await import("./rtf.ts")).parseRtf,
  epub: async () => (await import("./epub.ts")).parseEpub,
  eml: async () => (await import("./eml.ts")).parseEml,
  msg: async () => (await import("./msg.ts")).parseMsg,
  xlsx: async () => (await import("./xlsx.ts")).parseXlsx,
  csv: async () => (bytes) => documentFromCsv(readCsv(decodeText(bytes))),
  html: async () => {
    const { parseHtml } = await import("./html.ts");
    return (bytes) => parseHtml(decodeHtml(bytes));
  },
  markdown: async () => {
    const { parseMarkdown } = await import("./markdown.ts");
    return (bytes) => parseMarkdown(decodeText(bytes));
  },
  png: loadImageParser,
  jpeg: loadImageParser,
  text: async () => (bytes) => parseText(decodeText(bytes)),
};

async function loadImageParser(): Promise<Parser> {
  return (await import("./image.ts")).parseImage;
}

const NO_TEXT = "The file contains no text.";
const TEXT_IN_IMAGES = "If it shows text in images, save it as a PDF and add that.";

/**
 * Reads a file of any supported format in this process; `parseFile` does the same in a child that can be killed.
 * @param languages the languages to recognise text in, on pages that have none; empty for none
 * @param known pages that an earlier attempt recognised
 * @throws {UnreadableFile} with the reason
 */
export async function* readDocument(
  bytes: Uint8Array,
  fileName: string,
  languages: readonly string[],
  known: readonly RecognisedPage[] = [],
): Reading {
  refuseTooLarge(bytes.length);
  const format = await withReadableErrors(() => detectFormat(bytes, fileName));
  // a library that cannot be loaded is no fault of the file
  const parse = await PARSERS[format]();
  try {
    const reading = await parse(bytes, languages, known);
    const document = cleanDocument("blocks" in reading ? reading : yield* reading);
    if (document.blocks.length === 0) throw new UnreadableFile(noText(format, languages, document.notice));
    if (!document.attachments) return document;
    return { ...document, attachments: await readableOnly(document.attachments, languages) };
  } catch (error) {
    throw readable(error);
  }
}

/** Says why there is none, if it is known. Advises a PDF only where its images would be read. */
function noText(format: string, languages: readonly string[], notice: string | undefined): string {
  if (notice !== undefined) return `${NO_TEXT} ${notice}`;
  return format === "pdf" || languages.length === 0 ? NO_TEXT : `${NO_TEXT} ${TEXT_IN_IMAGES}`;
}

/** Smaller images are logos and signatures. */
const IMAGE_BYTES_MIN = 20_000;

/** The attachments in a format that can be read. */
async function readableOnly(attachments: Attachment[], languages: readonly string[]): Promise<Attachment[]> {
  const formats = await Promise.all(
    attachments.map(({ bytes, fileName }) => detectFormat(bytes, fileName).catch(() => null)),
  );
  return attachments.filter(({ bytes }, place) => {
    const format = formats[place];
    if (format !== "png" && format !== "jpeg") return format !== null;
    return languages.length > 0 && bytes.length >= IMAGE_BYTES_MIN;
  });
}

/** Reads a document without text recognition. @throws {UnreadableFile} with the reason */
export async function parseBytes(bytes: Uint8Array, fileName: string): Promise<ParsedDocument> {
  return await returnValueOf(readDocument(bytes, fileName, []));
}

/**
 * The wanted rows of a CSV file, or of the visible sheets of a workbook. A row that a person has hidden has an error.
 * @throws {TooManyRows} @throws {UnreadableFile} with the reason
 */
export async function parseSheets(bytes: Uint8Array, fileName: string, wanted: WantedRows): Promise<Sheet[]> {
  refuseTooLarge(bytes.length);
  const format = await withReadableErrors(() => detectFormat(bytes, fileName));
  const xlsx = format === "xlsx" ? await import("./xlsx.ts") : null;
  return await withReadableErrors(async () => {
    // CSV without an extension looks like plain text
    if (format === "csv" || (format === "text" && extensionOf(fileName) === "")) {
      // the header, and one row more than allowed
      return wantedRows([readCsv(decodeText(bytes), wanted.rowsMax + 2)], wanted);
    }
    if (xlsx) return wantedRows(await xlsx.rowsOfXlsx(bytes), wanted);
    throw new UnreadableFile(
      "The file is neither CSV nor an Excel workbook. Save it as .csv or .xlsx and add it again.",
    );
  });
}

/** Reads text that is not from a file. It is always read as Markdown, and may be empty. */
export async function parseMarkdownBytes(bytes: Uint8Array): Promise<ParsedDocument> {
  const { parseMarkdown } = await import("./markdown.ts");
  return await withReadableErrors(async () => cleanDocument(parseMarkdown(Buffer.from(bytes).toString("utf8"))));
}

async function withReadableErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readable(error);
  }
}

/** Converts any error of a library into an `UnreadableFile`. */
function readable(error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return tooDeeplyNested({ cause: error });
  }
  return damagedFile(undefined, { cause: error });
}

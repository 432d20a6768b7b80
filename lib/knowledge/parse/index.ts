import { readFile, stat } from "node:fs/promises";
import type { CompanyId } from "../../db/tenant.ts";
import { type ParsedDocument, UnreadableFile } from "./document.ts";
import { refuseTooLarge } from "./file-size.ts";
import { requestParse } from "./pool.ts";
import type { Sheet } from "./sheet.ts";
import { TooManyRows, type WantedRows } from "./wanted-rows.ts";

/** A file as a path or as bytes. Its name and its content decide how it is read. */
export type FileInput = {
  /** Without an extension, the content alone decides. */
  fileName: string;
  /** The caller's identifier of a file that is read as questions, whatever its name is. */
  questionsOf?: string;
  /** The company whose files are read one at a time. */
  companyId?: CompanyId;
  signal?: AbortSignal;
} & ({ path: string } | { bytes: Uint8Array });

/**
 * Reads a file of any supported format in a child process with limits for time (60 s, or 120 s above 10 MB) and memory.
 * @throws {UnreadableFile} with the reason; the signal's reason when aborted
 */
export async function parseFile(input: FileInput): Promise<ParsedDocument> {
  return await requestDocument(async () => ({ kind: "document", ...(await readInput(input)) }), input.signal);
}

/**
 * Reads text that is not from a file in the same way, as Markdown, which includes plain text.
 * @throws {UnreadableFile}
 */
export async function parseMarkdownText(text: string, signal?: AbortSignal): Promise<ParsedDocument> {
  return await requestDocument({ kind: "markdown", bytes: Buffer.from(text) }, signal);
}

/** Reads the wanted rows of a CSV file or workbook in the same way. @throws {TooManyRows} @throws {UnreadableFile} */
export async function readSheets(input: FileInput, wanted: WantedRows): Promise<Sheet[]> {
  const request = async () => ({ kind: "sheets", wanted, ...(await readInput(input)) }) as const;
  const reply = await requestParse(request, input.signal, { companyId: input.companyId });
  if (reply.kind === "sheets") return reply.sheets;
  if (reply.kind === "tooManyRows") throw new TooManyRows(reply.reason);
  throw new UnreadableFile(reply.kind === "unreadable" ? reply.reason : "The file cannot be read.");
}

async function requestDocument(
  request: Parameters<typeof requestParse>[0],
  signal?: AbortSignal,
): Promise<ParsedDocument> {
  const reply = await requestParse(request, signal);
  if (reply.kind === "document") return reply.document;
  throw new UnreadableFile(reply.kind === "unreadable" ? reply.reason : "The file cannot be read.");
}

async function readInput(input: FileInput): Promise<{ bytes: Uint8Array; fileName: string }> {
  const { fileName } = input;
  if ("bytes" in input) {
    refuseTooLarge(input.bytes.length);
    return { bytes: input.bytes, fileName };
  }
  refuseTooLarge((await stat(input.path)).size);
  return { bytes: await readFile(input.path), fileName };
}

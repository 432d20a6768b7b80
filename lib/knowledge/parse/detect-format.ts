import { fileTypeFromBuffer } from "file-type";
import { decodeText } from "./decode.ts";
import { damagedFile, UnreadableFile } from "./document.ts";
import {
  extensionOf,
  type FileFormat,
  type Format,
  formatByContent,
  formatByName,
  isZip,
  OUTLOOK_ENTRY,
  PLAIN_TEXT,
  SUPPORTED,
} from "./formats.ts";
import {
  isOldOffice,
  mayHold,
  mismatch,
  refusalByContent,
  refusalByExtension,
  unknownType,
} from "./refused-formats.ts";
import { inspectZip } from "./zip.ts";

/** The time to read a workbook grows with the square of its sheets. */
const SHEETS_MAX = 1_000;

/** A name in every password-protected Office document. */
const ENCRYPTED_ENTRY = "EncryptedPackage";

type Recognised = FileFormat<Format>;

/**
 * Determines the format of a file by its content and its extension.
 * @throws {UnreadableFile} for an empty file, an unsupported format, and an extension that does not match the content
 */
export async function detectFormat(bytes: Uint8Array, fileName: string): Promise<Format> {
  if (bytes.length === 0) throw new UnreadableFile("The file is empty.");
  const extension = extensionOf(fileName);
  const refusal = refusalByExtension(extension);
  if (refusal !== null) throw new UnreadableFile(refusal);
  const content = await detectContent(bytes, extension);
  const named = formatByName(extension);
  if (named === null) return formatOfUnknownExtension(extension, content);
  if (!mayHold(named, content)) throw new UnreadableFile(mismatch(extension, content));
  return named.id;
}

function formatOfUnknownExtension(extension: string, content: Recognised): Format {
  if (content.id !== "text" || extension === "") return content.id;
  throw new UnreadableFile(unknownType(extension));
}

async function detectContent(bytes: Uint8Array, extension: string): Promise<Recognised> {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const format = formatByContent({ head });
  if (format) return format;
  if (isZip(head)) return detectInArchive(head, await inspectZip(bytes));
  if (isOldOffice(head)) return detectInOldOffice(bytes, head);
  const refusal = refusalByContent({ head });
  if (refusal !== null) throw new UnreadableFile(refusal);
  if (formatByName(extension) && head.startsWith("PK")) {
    throw damagedFile("its zip archive is cut off or empty");
  }
  const type = await fileTypeFromBuffer(bytes);
  if (type !== undefined && type.ext !== "xml") throw binary(type, extension);
  const text = decodeText(bytes);
  if (text.trim() === "") throw new UnreadableFile("The file is empty.");
  return formatByContent({ head, text }) ?? PLAIN_TEXT;
}

function detectInArchive(head: string, entries: string[]): Recognised {
  const format = formatByContent({ head, entries });
  if (!format) throw new UnreadableFile(refusalByContent({ head, entries }) ?? unknownType(".zip"));
  const sheets = entries.filter((name) => name.startsWith("xl/worksheets/sheet")).length;
  if (format.id === "xlsx" && sheets > SHEETS_MAX) {
    throw new UnreadableFile(`The workbook has ${sheets} sheets; split it into smaller ones.`);
  }
  return format;
}

/** Outlook messages have the container of the old Office formats, and so have password-protected documents. */
function detectInOldOffice(bytes: Uint8Array, head: string): Recognised {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = [ENCRYPTED_ENTRY, OUTLOOK_ENTRY].filter((name) => buffer.includes(Buffer.from(name, "utf16le")));
  if (entries.includes(ENCRYPTED_ENTRY)) {
    throw new UnreadableFile("The file is password-protected. Remove the password and add it again.");
  }
  const format = formatByContent({ head, entries });
  if (!format) throw new UnreadableFile(refusalByContent({ head, entries }) ?? unknownType(".doc"));
  return format;
}

function binary(type: { ext: string; mime: string }, extension: string): UnreadableFile {
  const family = type.mime.split("/")[0] ?? "";
  const name = { image: "an image", audio: "audio", video: "a video", font: "a font" }[family] ?? "binary data";
  const content = `${name} (${type.ext})`;
  if (formatByName(extension)) {
    return new UnreadableFile(
      `The file is named ${extension} but its content is ${content}. Save it as ${extension} and add the new file.`,
    );
  }
  return new UnreadableFile(`The file is ${content}, which is not supported. ${SUPPORTED}`);
}

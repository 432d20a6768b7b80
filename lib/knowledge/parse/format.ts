import { fileTypeFromBuffer } from "file-type";
import { decodeText } from "./decode.ts";
import { UnreadableFile } from "./document.ts";
import {
  extensionOf,
  FORMATS,
  type Format,
  looksLikeHtml,
  notSupported,
  REFUSED,
  SUPPORTED,
  unknownType,
} from "./file-names.ts";
import { inspectZip } from "./zip.ts";

/** The reader's time grows with their square. */
const SHEETS_MAX = 1_000;

/**
 * Decides by content and by extension how a file is to be read.
 * @throws UnreadableFile for an empty file, a format that is not supported, and an extension that its content belies.
 */
export async function detectFormat(bytes: Uint8Array, fileName: string): Promise<Format> {
  if (bytes.length === 0) throw new UnreadableFile("The file is empty.");
  const extension = extensionOf(fileName);
  const refused = REFUSED[extension];
  if (refused !== undefined) throw new UnreadableFile(notSupported(refused.name, extension, refused.instead));
  const content = await detectContent(bytes, extension);
  const claimed = FORMATS[extension];
  if (claimed === undefined) return formatOfUnknownExtension(extension, content);
  if (!fits(claimed, content)) throw mismatch(extension, content);
  return claimed;
}

type Content = Exclude<Format, "csv" | "markdown">;

function fits(claimed: Format, content: Content): boolean {
  if (claimed === content) return true;
  if (content === "text") return claimed === "csv" || claimed === "markdown" || claimed === "html";
  return content === "html" && claimed === "markdown";
}

function formatOfUnknownExtension(extension: string, content: Content): Format {
  if (content !== "text" || extension === "") return content;
  throw new UnreadableFile(unknownType(extension));
}

async function detectContent(bytes: Uint8Array, extension: string): Promise<Content> {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("PK\u0003\u0004")) return detectOffice(await inspectZip(bytes));
  if (head.startsWith("\u00D0\u00CF\u0011\u00E0")) throw oldOffice(bytes);
  if (head.startsWith("{\\rtf")) throw new UnreadableFile(notSupported("Rich Text files", ".rtf", "save it as .docx"));
  if (FORMATS[extension] !== undefined && head.startsWith("PK")) throw damaged("its zip archive is cut off or empty");
  const type = await fileTypeFromBuffer(bytes);
  if (type !== undefined && type.ext !== "xml") throw binary(type, extension);
  const text = decodeText(bytes);
  if (text.trim() === "") throw new UnreadableFile("The file is empty.");
  return looksLikeHtml(text) ? "html" : "text";
}

function detectOffice(names: string[]): Content {
  const has = (prefix: string) => names.some((name) => name.startsWith(prefix));
  if (has("word/document")) return "docx";
  if (names.includes("xl/workbook.bin"))
    throw new UnreadableFile(notSupported("Binary Excel files", ".xlsb", "save it as .xlsx"));
  if (has("xl/")) {
    const sheets = names.filter((name) => name.startsWith("xl/worksheets/sheet")).length;
    if (sheets > SHEETS_MAX) throw new UnreadableFile(`The workbook has ${sheets} sheets; split it into smaller ones.`);
    return "xlsx";
  }
  if (has("ppt/")) throw new UnreadableFile(notSupported("PowerPoint files", ".pptx", "save it as PDF"));
  if (has("META-INF/container.xml"))
    throw new UnreadableFile(notSupported("EPUB books", ".epub", "convert it to PDF or HTML"));
  if (has("content.xml"))
    throw new UnreadableFile(notSupported("OpenDocument files", ".odt", "save it as .docx or .xlsx"));
  throw new UnreadableFile(notSupported("Archives", ".zip", "unpack it"));
}

/** Word and Excel wrap a password-protected document into the container that the old formats used. */
function oldOffice(bytes: Uint8Array): UnreadableFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(Buffer.from("EncryptedPackage", "utf16le"))) {
    return new UnreadableFile("The file is password-protected. Remove the password and add it again.");
  }
  return new UnreadableFile("Old Office files are not supported yet; save it as .docx or .xlsx and add that.");
}

function binary(type: { ext: string; mime: string }, extension: string): UnreadableFile {
  const family = type.mime.split("/")[0] ?? "";
  const name = { image: "an image", audio: "audio", video: "a video", font: "a font" }[family] ?? "binary data";
  const content = `${name} (${type.ext})`;
  if (FORMATS[extension] !== undefined) {
    return new UnreadableFile(`The file is named ${extension} but its content is ${content}.`);
  }
  return new UnreadableFile(`The file is ${content}, which is not supported; ${SUPPORTED}.`);
}

function mismatch(extension: string, content: Content): UnreadableFile {
  const name = { pdf: "a PDF", docx: "a Word document", xlsx: "an Excel workbook", html: "HTML", text: "plain text" }[
    content
  ];
  const right = content === "text" ? ".txt" : `.${content}`;
  return new UnreadableFile(
    `The file is named ${extension} but its content is ${name}; if that is right, rename it to ${right} and add it again.`,
  );
}

function damaged(why: string): UnreadableFile {
  return new UnreadableFile(`The file is damaged: ${why}.`);
}

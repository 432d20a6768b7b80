import type { Readable } from "node:stream";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { countText } from "../../counted.ts";
import { damagedFile, UnreadableFile } from "./document.ts";

const ENTRIES_MAX = 10_000;
const UNCOMPRESSED_BYTES_MAX = 300 * 1024 * 1024;
const XML_BYTES_MAX = 150 * 1024 * 1024;
const RATIO_MAX = 200;
/** Smaller entries may have any compression ratio without harm. */
const RATIO_CHECKED_FROM_BYTES = 5 * 1024 * 1024;
/** The document type of HTML defines no entities, and chapters of books begin with it. */
const FORBIDDEN_XML = /<!ENTITY|<!DOCTYPE\s+(?!html)[\s\S]{4}/;

/**
 * Unpacks an archive once and counts the bytes, before any parser opens it.
 * @returns the names of its entries
 * @throws {UnreadableFile} for damage, encryption, zip bombs and XML that defines entities
 */
export async function inspectZip(bytes: Uint8Array): Promise<string[]> {
  try {
    const zip = await openZip(bytes);
    return await inspectEntries(zip);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw damagedFile("its zip archive cannot be read", { cause: error });
  }
}

/** The text of one entry of an inspected archive; null when the entry does not exist. */
export async function readZipEntry(bytes: Uint8Array, name: string): Promise<string | null> {
  const texts = await readZipEntries(bytes, (other) => other === name);
  return texts.get(name) ?? null;
}

/** The texts of the chosen entries of an inspected archive, by name. Of entries with the same name, the first counts. */
export async function readZipEntries(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, text } of zipEntries(bytes, (name) => isWanted(name) && !texts.has(name))) {
    texts.set(name, text);
  }
  return texts;
}

/** The chosen entries of an inspected archive, one after the other, so that not all need to be in memory. */
export async function* zipEntries(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): AsyncGenerator<{ name: string; text: string }> {
  const zip = await openZip(bytes);
  for await (const entry of zip.eachEntry()) {
    if (!isWanted(entry.fileName)) continue;
    const parts: Buffer[] = [];
    for await (const part of await openEntry(zip, entry)) parts.push(part);
    const text = Buffer.concat(parts).toString("utf8");
    yield { name: entry.fileName, text: text.replace(/^\uFEFF/, "") };
  }
}

function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return fromBufferPromise(buffer, { lazyEntries: true });
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return await zip.openReadStreamPromise(entry);
}

async function inspectEntries(zip: ZipFile): Promise<string[]> {
  if (zip.entryCount > ENTRIES_MAX) throw bomb(`it holds ${countText(zip.entryCount)} entries`);
  const names: string[] = [];
  let total = 0;
  let xml = 0;
  for await (const entry of zip.eachEntry()) {
    names.push(entry.fileName);
    if (entry.isEncrypted()) {
      throw new UnreadableFile("The file is password-protected. Remove the password and add it again.");
    }
    const size = await inspectEntry(zip, entry, UNCOMPRESSED_BYTES_MAX - total);
    total += size;
    if (isMarkup(entry)) xml += size;
    if (xml > XML_BYTES_MAX) throw bomb("its text is too large");
  }
  return names;
}

async function inspectEntry(zip: ZipFile, entry: Entry, left: number): Promise<number> {
  if (entry.uncompressedSize > left) throw bomb("it is too large when unpacked");
  let size = 0;
  let tail = "";
  for await (const part of await openEntry(zip, entry)) {
    size += part.length;
    if (size > left) throw bomb("it is too large when unpacked");
    if (size > RATIO_CHECKED_FROM_BYTES && size > entry.compressedSize * RATIO_MAX) {
      throw bomb(`it grows more than ${RATIO_MAX}-fold when unpacked`, "Save it again with the program that made it.");
    }
    if (!isXml(entry)) continue;
    const text = tail + part.toString("latin1");
    if (FORBIDDEN_XML.test(text)) {
      throw new UnreadableFile(
        "The file was refused: its XML defines entities, which office programs do not write. Open it in one, save it again and add the new file.",
      );
    }
    tail = text.slice(-16);
  }
  return size;
}

function isXml(entry: Entry): boolean {
  return /\.(?:xml|rels|vml)$/i.test(entry.fileName);
}

function isMarkup(entry: Entry): boolean {
  return isXml(entry) || /\.(?:x?html?|opf|ncx)$/i.test(entry.fileName);
}

function bomb(why: string, advice = "Split it into smaller files."): UnreadableFile {
  return new UnreadableFile(`The file was refused because unpacking it is not safe: ${why}. ${advice}`);
}

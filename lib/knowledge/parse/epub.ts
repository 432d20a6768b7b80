import { posix } from "node:path";
import type { Element } from "hast";
import { toString as textContent } from "hast-util-to-string";
import { type ParsedDocument, tidyLine, UnreadableFile } from "./document.ts";
import { parseHtml } from "./html.ts";
import { attribute, findElement, findElements, parseXml } from "./xml.ts";
import { readZipEntries } from "./zip.ts";

const CONTAINER = "META-INF/container.xml";
const ENCRYPTION = "META-INF/encryption.xml";
/** Elements of HTML that have no end tag. */
const VOID = "area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr";

/** Reads the chapters of a book that `inspectZip` has accepted, in reading order. @throws {UnreadableFile} */
export async function parseEpub(bytes: Uint8Array): Promise<ParsedDocument> {
  const parts = await readZipEntries(bytes, (name) => name.startsWith("META-INF/") || /\.opf$/i.test(name));
  const packageName = attribute(findElement(parseXml(parts.get(CONTAINER) ?? ""), "x:rootfile"), "full-path");
  const book = parseXml(parts.get(packageName) ?? "");
  const names = chapterNames(book, posix.dirname(packageName));
  refuseProtected(parts.get(ENCRYPTION) ?? "", names);
  const wanted = new Set(names);
  const chapters = await readZipEntries(bytes, (name) => wanted.has(name));
  const read = names.map((name) => parseHtml(withEndTags(chapters.get(name) ?? "")));
  const title = findElement(book, "dc:title");
  return {
    title: title && tidyLine(textContent(title)),
    blocks: read.flatMap(({ blocks }) => blocks),
    metadata: {},
    notice: read.find(({ notice }) => notice !== undefined)?.notice,
  };
}

/** The names of the chapters in the archive, in reading order, without the table of contents. */
function chapterNames(book: Element, folder: string): string[] {
  const chapters = new Map(
    findElements(book, "x:item")
      .filter((item) => !attribute(item, "properties").split(" ").includes("nav"))
      .map((item) => [attribute(item, "id"), posix.join(folder, decodePath(attribute(item, "href")))]),
  );
  const names = findElements(book, "x:itemref").flatMap((item) => chapters.get(attribute(item, "idref")) ?? []);
  return [...new Set(names)];
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function refuseProtected(encryption: string, names: string[]): void {
  const encrypted = findElements(parseXml(encryption), "enc:cipherreference").map((item) => attribute(item, "uri"));
  if (!encrypted.some((uri) => names.includes(decodePath(uri)))) return;
  throw new UnreadableFile(
    "The book is protected against copying (DRM) and cannot be read. Add a copy without protection.",
  );
}

/** XHTML may write an empty element as `<a/>`, which HTML reads as a start tag. */
function withEndTags(xhtml: string): string {
  return xhtml.replace(new RegExp(`<(?!(?:${VOID})\\b)([a-z][\\w:-]*)([^<>]*)/>`, "gi"), "<$1$2></$1>");
}

import JSZip from "jszip";
import { relationsOf } from "./office-parts.ts";
import { readZipEntries } from "./zip.ts";

/** The XML of parts of a Word document, by name. */
export interface DocxParts {
  /** Those with styles. */
  styled: Map<string, string>;
  /** Those with text: the document, its footnotes and its endnotes. */
  shown: Map<string, string>;
}

/** The parts with styles and those with text, which the library finds by their relations or by their usual names. */
export async function readDocxParts(bytes: Uint8Array): Promise<DocxParts> {
  const relations = await readZipEntries(bytes, (name) => name.endsWith(".rels"));
  const targets = (from: string, wanted: string[]) =>
    relationsOf(relations, from).flatMap(({ type, target }) => (wanted.includes(type) ? [target] : []));
  const main = [...new Set(["word/document.xml", ...targets("", ["officeDocument"])])];
  const linked = (...wanted: string[]) => [
    ...wanted.map((type) => `word/${type}.xml`),
    ...main.flatMap((from) => targets(from, wanted)),
  ];
  const styles = new Set(linked("styles"));
  const texts = new Set([...main, ...linked("footnotes", "endnotes")]);
  return {
    styled: await readZipEntries(bytes, (name) => styles.has(name)),
    shown: await readZipEntries(bytes, (name) => texts.has(name)),
  };
}

/** A Word document with other XML in these parts. */
export async function withDocxParts(bytes: Uint8Array, parts: (readonly [string, string])[]): Promise<Uint8Array> {
  if (parts.length === 0) return bytes;
  const zip = await JSZip.loadAsync(bytes);
  for (const [name, xml] of parts) zip.file(name, xml);
  // entries that are compressed already are copied as they are
  return await zip.generateAsync({ type: "uint8array", compression: "DEFLATE" });
}

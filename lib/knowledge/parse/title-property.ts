import { toString as textContent } from "hast-util-to-string";
import { tidyLine } from "./document.ts";
import { isSensibleTitle } from "./title.ts";
import { findElement, parseXml } from "./xml.ts";
import { readZipEntry } from "./zip.ts";

/** The title in an office file's properties; null when it is missing or was set by a program. */
export async function readTitleProperty(bytes: Uint8Array, entryName: string): Promise<string | null> {
  const properties = await readZipEntry(bytes, entryName);
  if (properties === null) return null;
  const element = findElement(parseXml(properties), "dc:title");
  const title = element === null ? "" : tidyLine(textContent(element));
  return isSensibleTitle(title) ? title : null;
}

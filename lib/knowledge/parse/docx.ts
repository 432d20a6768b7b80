import type { Element, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { toString as textContent } from "hast-util-to-string";
import mammoth from "mammoth";
import type { ParsedDocument } from "./document.ts";
import { tidyLine } from "./document.ts";
import { withPlainFields } from "./docx-fields.ts";
import { withoutHiddenDocxText } from "./docx-hidden.ts";
import { readDocxParts, withDocxParts } from "./docx-parts.ts";
import { blocksFromHast } from "./hast.ts";
import { withoutStruckText } from "./hast-struck.ts";
import { HIDDEN_TEXT, joinedNotices, STRUCK_TEXT } from "./hidden-notice.ts";
import { readTitleProperty } from "./title-property.ts";

const STYLE_MAP = ["p[style-name='Title'] => h1.title:fresh", "p[style-name='Subtitle'] => p:fresh"];
/** One level below Word's heading styles, which have six levels. */
const BOLD_HEADING = "h7";
const BOLD_HEADING_CHARACTERS_MAX = 120;
const SINGLE_LINE_OFF = /<(?:[\w.-]+:)?strike\s[^<>]{0,99}val=["'](?:0|false|off)["'][^<>]{0,99}\/>/g;
const DOUBLE_LINE = /(<\/?(?:[\w.-]+:)?)d(?=strike[\s/>])/g;

/** Reads a Word document that `inspectZip` has accepted. */
export async function parseDocx(bytes: Uint8Array): Promise<ParsedDocument> {
  const parts = await readDocxParts(bytes);
  const visible = withoutHiddenDocxText(parts);
  const plain = [...visible.shown].map(([name, xml]) => [name, withSingleLines(withPlainFields(xml))] as const);
  const changed = plain.filter(([name, xml]) => xml !== parts.shown.get(name));
  const { buffer, byteOffset, byteLength } = await withDocxParts(bytes, changed);
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(buffer, byteOffset, byteLength) },
    { styleMap: STYLE_MAP, convertImage: mammoth.images.imgElement(async () => ({ src: "" })) },
  );
  const { tree, found } = withoutStruckText(withBoldHeadings(fromHtml(value, { fragment: true })));
  const title = (await readTitleProperty(bytes, "docProps/core.xml")) ?? readTitleParagraph(tree);
  const notice = joinedNotices(visible.found && HIDDEN_TEXT, found && STRUCK_TEXT);
  return { title, blocks: blocksFromHast(tree), metadata: {}, notice };
}

/** Replaces double lines through text, which the library does not know, by single lines. */
function withSingleLines(xml: string): string {
  return xml.replace(SINGLE_LINE_OFF, "").replace(DOUBLE_LINE, "$1");
}

function readTitleParagraph(root: Root): string | null {
  const node = root.children.find(
    (child) => child.type === "element" && [child.properties.className].flat().includes("title"),
  );
  return node?.type === "element" ? tidyLine(textContent(node)) : null;
}

/** People often format a heading as a short paragraph in bold. */
function withBoldHeadings(root: Root): Root {
  const children = root.children.map((node) => {
    if (node.type !== "element" || node.tagName !== "p" || !isBoldHeading(node)) return node;
    return { ...node, tagName: BOLD_HEADING };
  });
  return { ...root, children };
}

function isBoldHeading(paragraph: Element): boolean {
  const text = tidyLine(textContent(paragraph));
  if (text === "" || text.length > BOLD_HEADING_CHARACTERS_MAX || /[.;:,]$/.test(text)) return false;
  return paragraph.children.every((child) => {
    if (child.type === "element" && child.tagName === "strong") return true;
    return /^\s*$/.test(child.type === "text" ? child.value : child.type === "element" ? textContent(child) : "");
  });
}

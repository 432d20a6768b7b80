import type { Element, ElementContent } from "hast";
import { damagedFile, type ParsedDocument } from "./document.ts";
import { blocksFromHast } from "./hast.ts";
import { withoutStruckText } from "./hast-struck.ts";
import { HIDDEN_TEXT, joinedNotices, STRUCK_TEXT } from "./hidden-notice.ts";
import { withoutHiddenOdtText } from "./odt-hidden.ts";
import { withHtmlMarks } from "./odt-marks.ts";
import { readTitleProperty } from "./title-property.ts";
import { attribute, findElement, findElements, parseXml } from "./xml.ts";
import { readZipEntry } from "./zip.ts";

/** The HTML element with the same meaning. Other elements are containers, whose children are read. */
const HTML_NAMES: Record<string, string> = {
  "text:p": "p",
  "text:list": "ul",
  "text:list-item": "li",
  "text:list-header": "li",
  "text:line-break": "br",
  "text:a": "a",
  "text:note": "span",
  "table:table": "table",
  "table:table-header-rows": "thead",
  "table:table-row": "tr",
  "table:table-cell": "td",
  "draw:frame": "div",
  // from the styles
  s: "s",
  sup: "sup",
  sub: "sub",
};
/** Deleted text, comments, generated lists of contents, and cells below a merged one. */
const DROPPED = new Set([
  "text:tracked-changes",
  "office:annotation",
  "text:table-of-content",
  "text:note-citation",
  "table:covered-table-cell",
  "svg:title",
  "svg:desc",
]);
const TITLE_STYLE = "Title";
const REPEATED_CELLS_MAX = 50;
const HEADING_LEVEL_MAX = 9;

/** Reads an OpenDocument text that `inspectZip` has accepted. */
export async function parseOdt(bytes: Uint8Array): Promise<ParsedDocument> {
  const content = parseXml((await readZipEntry(bytes, "content.xml")) ?? "");
  const text = findElement(content, "office:text");
  if (text === null) throw damagedFile("it contains no OpenDocument text");
  const styles = titleStyles(content);
  const parts = [parseXml((await readZipEntry(bytes, "styles.xml")) ?? ""), content];
  const visible = withoutHiddenOdtText(text, parts);
  const marked = withHtmlMarks(visible.element, parts);
  const children = marked.children.flatMap((node) => toHtml(withTitle(node, styles)));
  const { tree, found } = withoutStruckText({ type: "root" as const, children });
  return {
    title: await readTitleProperty(bytes, "meta.xml"),
    blocks: blocksFromHast(tree),
    metadata: {},
    notice: joinedNotices(visible.found && HIDDEN_TEXT, found && STRUCK_TEXT),
  };
}

/** The style of titles, and the styles that are derived from it. */
function titleStyles(content: Element): Set<string> {
  const derived = findElements(content, "style:style")
    .filter((style) => attribute(style, "style:parent-style-name") === TITLE_STYLE)
    .map((style) => attribute(style, "style:name"));
  return new Set([TITLE_STYLE, ...derived]);
}

function withTitle(node: ElementContent, styles: Set<string>): ElementContent {
  const isTitle = node.type === "element" && styles.has(attribute(node, "text:style-name"));
  return isTitle ? { ...node, tagName: "text:h" } : node;
}

function toHtml(node: ElementContent): ElementContent[] {
  if (node.type === "text") return [node];
  if (node.type !== "element" || DROPPED.has(node.tagName)) return [];
  if (node.tagName === "text:tab" || node.tagName === "text:s") return [{ type: "text", value: " " }];
  const children = node.children.flatMap(toHtml);
  if (node.tagName === "text:h") {
    const level = Math.min(Number(attribute(node, "text:outline-level")) || 1, HEADING_LEVEL_MAX);
    return [element(`h${level}`, children)];
  }
  // a note appears in the sentence that it belongs to
  if (node.tagName === "text:note-body") return [text(" ("), ...children.flatMap(inlineContent), text(")")];
  const name = HTML_NAMES[node.tagName];
  if (name === undefined) return children;
  if (name !== "td") return [element(name, children)];
  const cell = element(name, children, {
    colSpan: attribute(node, "table:number-columns-spanned"),
    rowSpan: attribute(node, "table:number-rows-spanned"),
  });
  const copies = Number(attribute(node, "table:number-columns-repeated")) || 1;
  return Array.from({ length: Math.min(copies, REPEATED_CELLS_MAX) }, () => cell);
}

/** The content of a paragraph, so that it can stand inside another one. */
function inlineContent(node: ElementContent, index: number): ElementContent[] {
  if (node.type !== "element" || node.tagName !== "p") return [node];
  return index === 0 ? node.children : [text(" "), ...node.children];
}

function element(tagName: string, children: ElementContent[], properties: Element["properties"] = {}): Element {
  return { type: "element", tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: "text", value };
}

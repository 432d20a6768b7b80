import type { Element, ElementContent, Root, RootContent } from "hast";
import { tidyLine } from "./document.ts";

export type HastNode = Root | RootContent | ElementContent;

/** Elements that are never content. */
const DROPPED = new Set(
  "script style noscript template iframe object embed svg math canvas audio video select button input textarea dialog head".split(
    " ",
  ),
);
const INLINE = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);

export function isInline(node: Element): boolean {
  return INLINE.has(node.tagName);
}

/** The readable text below a node, with line ends between blocks. @param except subtrees to leave out */
export function inlineText(node: HastNode, except: Element[] = []): string {
  if (node.type === "text") return node.value.replace(/\s+/g, " ");
  if (node.type === "root") return node.children.map((child) => inlineText(child, except)).join("");
  if (node.type !== "element" || isDropped(node) || except.includes(node)) return "";
  if (node.tagName === "br") return "\n";
  const text = node.children.map((child) => inlineText(child, except)).join("");
  return isInline(node) ? text : `\n${text}\n`;
}

/** The text of a heading or term. In an accordion, a button holds all of it. */
export function titleText(node: Element): string {
  const text = tidyLine(inlineText(node));
  return text === "" ? tidyLine(inlineText(unwrapButtons(node))) : text;
}

function unwrapButtons(node: Element): Element {
  const children = node.children.map((child) => {
    if (child.type !== "element") return child;
    return unwrapButtons(child.tagName === "button" ? { ...child, tagName: "span" } : child);
  });
  return { ...node, children };
}

/** The text of preformatted lines. */
export function codeText(node: HastNode): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element" || isDropped(node)) return "";
  return node.tagName === "br" ? "\n" : node.children.map(codeText).join("");
}

/** Scripts, controls and hidden elements. */
export function isDropped(node: Element): boolean {
  if (DROPPED.has(node.tagName)) return true;
  const { hidden, ariaHidden, style, dataFootnoteBackref } = node.properties;
  if (hidden === true || hidden === "" || ariaHidden === "true" || dataFootnoteBackref !== undefined) return true;
  return typeof style === "string" && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

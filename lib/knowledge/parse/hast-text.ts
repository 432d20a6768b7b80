import type { Element, ElementContent, Root, RootContent } from "hast";

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

/** Scripts, controls and hidden elements. */
export function isDropped(node: Element): boolean {
  if (DROPPED.has(node.tagName)) return true;
  const { hidden, ariaHidden, style, dataFootnoteBackref } = node.properties;
  if (hidden === true || hidden === "" || ariaHidden === "true" || dataFootnoteBackref !== undefined) return true;
  return typeof style === "string" && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

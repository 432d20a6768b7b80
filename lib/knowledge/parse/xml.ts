import type { Element } from "hast";
import { fromHtml } from "hast-util-from-html";

/**
 * Reads XML into a tree of elements with lower-case names, for example "a:tbl" or "x:item" for a name without a prefix.
 * Custom entities stay as text. Damaged XML is read as far as possible.
 */
export function parseXml(xml: string): Element {
  // inside <svg>, the HTML parser follows XML's rules for empty elements and CDATA, except for names of HTML elements
  const { children } = fromHtml(`<svg>${xml.replace(/<(\/?)(\w[\w.-]*)(?=[\s/>])/g, "<$1x:$2")}`, { fragment: true });
  const root = children.find((child) => child.type === "element");
  return root ?? { type: "element", tagName: "svg", properties: {}, children: [] };
}

export function childElements({ children }: Element): Element[] {
  return children.filter((child) => child.type === "element");
}

/** The first element with this name below a node, in document order. */
export function findElement(node: Element, tagName: string): Element | null {
  for (const child of childElements(node)) {
    const found = child.tagName === tagName ? child : findElement(child, tagName);
    if (found !== null) return found;
  }
  return null;
}

/** The elements with this name below a node, except those inside another one of them. */
export function findElements(node: Element, tagName: string): Element[] {
  return childElements(node).flatMap((child) => (child.tagName === tagName ? [child] : findElements(child, tagName)));
}

/** An attribute by its name in lower case; empty when it is missing. */
export function attribute(node: Element | null, name: string): string {
  const value = node?.properties[name];
  return value === undefined || value === null ? "" : String(value);
}

/** An attribute by its name in lower case without the prefix, which programs choose; empty when it is missing. */
export function attributeNamed(node: Element | undefined, name: string): string {
  const found = Object.entries(node?.properties ?? {}).find(([full]) => full === name || full.endsWith(`:${name}`));
  return String(found?.[1] ?? "");
}

import type { Element, ElementContent } from "hast";
import { odtStyles } from "./odt-styles.ts";
import { attribute } from "./xml.ts";

/**
 * Puts the raised, lowered and struck-out text of an OpenDocument text into the elements that HTML has for it.
 * @param parts the parts of the document that define styles, the more general first
 */
export function withHtmlMarks(text: Element, parts: Element[]): Element {
  const struckBy = odtStyles(parts, isStruck);
  const positionBy = odtStyles(parts, position);
  function marked(node: ElementContent, struck: boolean, place: string): ElementContent {
    if (node.type === "text") {
      const placed = place === "" ? node : element(place, node);
      return struck ? element("s", placed) : placed;
    }
    if (node.type !== "element") return node;
    const isNowStruck = struckBy(node) ?? struck;
    const nowPlace = positionBy(node) ?? place;
    return { ...node, children: node.children.map((child) => marked(child, isNowStruck, nowPlace)) };
  }
  return { ...text, children: text.children.map((node) => marked(node, false, "")) };
}

function isStruck(properties: Element | null): boolean | null {
  const style = attribute(properties, "style:text-line-through-style");
  const line = style === "" ? attribute(properties, "style:text-line-through-type") : style;
  return line === "" ? null : line !== "none";
}

/** The element for the position of the text, such as "super 58%" or "-8% 58%"; empty for the base line. */
function position(properties: Element | null): string | null {
  const value = attribute(properties, "style:text-position");
  if (value === "") return null;
  if (value.startsWith("super") || Number.parseFloat(value) > 0) return "sup";
  return value.startsWith("sub") || Number.parseFloat(value) < 0 ? "sub" : "";
}

function element(tagName: string, child: ElementContent): Element {
  return { type: "element", tagName, properties: {}, children: [child] };
}

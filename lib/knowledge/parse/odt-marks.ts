import type { Element, ElementContent } from "hast";
import { odtStyles } from "./odt-styles.ts";
import { attribute } from "./xml.ts";

/**
 * Puts the raised and lowered text of an OpenDocument text into the elements that HTML has for it.
 * @param parts the parts of the document that define styles, the more general first
 */
export function withHtmlMarks(text: Element, parts: Element[]): Element {
  const positionBy = odtStyles(parts, position);
  function marked(node: ElementContent, place: string): ElementContent {
    if (node.type === "text") return place === "" ? node : element(place, node);
    if (node.type !== "element") return node;
    const nowPlace = positionBy(node) ?? place;
    return { ...node, children: node.children.map((child) => marked(child, nowPlace)) };
  }
  return { ...text, children: text.children.map((node) => marked(node, "")) };
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

import type { Element } from "hast";
import { decidedStyles } from "./decided-styles.ts";
import { attribute, findElement, findElements } from "./xml.ts";

/** The family of the style that `text:style-name` refers to. Styles of different families may have the same name. */
const FAMILIES: Record<string, string> = {
  "text:p": "paragraph",
  "text:h": "paragraph",
  "text:span": "text",
  "text:a": "text",
};

export function isParagraph(node: Element): boolean {
  return FAMILIES[node.tagName] === "paragraph";
}

/**
 * What the styles of an OpenDocument text say about one matter.
 * @param parts the parts of the document that define styles, the more general first
 * @param decide reads the text properties of a style; null when the style that it is based on decides
 * @returns what the style of an element says; undefined when it says nothing
 */
export function odtStyles<T>(parts: Element[], decide: (properties: Element | null) => T | null) {
  const styles = decidedStyles(
    parts
      .flatMap((part) => findElements(part, "style:style"))
      .map((style) => {
        const named = (name: string) => `${attribute(style, "style:family")}/${attribute(style, name)}`;
        return {
          name: named("style:name"),
          value: decide(findElement(style, "style:text-properties")),
          base: named("style:parent-style-name"),
        };
      }),
  );
  return (node: Element): T | undefined =>
    styles.get(`${FAMILIES[node.tagName]}/${attribute(node, "text:style-name")}`);
}

import type { Element, ElementContent } from "hast";
import { toString as textContent } from "hast-util-to-string";
import { decidedStyles, type TextStyle } from "./hidden-styles.ts";
import { attribute, childElements, findElement, findElements } from "./xml.ts";

/** The family of the style that `text:style-name` refers to. Styles of different families may have the same name. */
const FAMILIES: Record<string, string> = {
  "text:p": "paragraph",
  "text:h": "paragraph",
  "text:span": "text",
  "text:a": "text",
};

/**
 * The text of an OpenDocument text without what its styles, sections, conditions and tables hide.
 * @param parts the parts of the document that define styles, the more general first
 * @returns also whether anything was hidden
 */
export function withoutHiddenOdtText(text: Element, parts: Element[]): { element: Element; found: boolean } {
  const styles = decidedStyles(parts.flatMap((part) => findElements(part, "style:style")).map(textStyle));
  let found = false;
  const visible = (node: ElementContent, hidden: boolean): ElementContent[] => {
    if (node.type === "element" && !isHiddenWhole(node) && !(hidden && node.tagName === "text:note")) {
      const isHidden = styles.get(`${FAMILIES[node.tagName]}/${attribute(node, "text:style-name")}`) ?? hidden;
      return [{ ...node, children: node.children.flatMap((child) => visible(child, isHidden)) }];
    }
    if (node.type === "text" && !hidden) return [node];
    if (node.type === "text" || node.type === "element") found ||= textContent(node).trim() !== "";
    return [];
  };
  const children = text.children.flatMap((node) => visible(node, false));
  return { element: { ...text, children }, found };
}

function textStyle(style: Element): TextStyle {
  const display = attribute(findElement(style, "style:text-properties"), "text:display");
  const named = (name: string) => `${attribute(style, "style:family")}/${attribute(style, name)}`;
  return {
    name: named("style:name"),
    hides: display === "" ? null : display === "none",
    base: named("style:parent-style-name"),
  };
}

/** A hidden section, a row that is not shown, or text whose condition hid it when the file was saved. */
function isHiddenWhole(node: Element): boolean {
  if (attribute(node, "text:display") === "none" || attribute(node, "table:visibility") === "collapse") return true;
  if (attribute(node, "text:is-hidden") === "true") return true;
  return FAMILIES[node.tagName] === "paragraph" && hidesItsParagraph(node);
}

/** Whether a field of this paragraph, not of one inside it, hides it. */
function hidesItsParagraph(node: Element): boolean {
  return childElements(node).some((child) => {
    if (FAMILIES[child.tagName] === "paragraph") return false;
    return (
      (child.tagName === "text:hidden-paragraph" && attribute(child, "text:is-hidden") === "true") ||
      hidesItsParagraph(child)
    );
  });
}

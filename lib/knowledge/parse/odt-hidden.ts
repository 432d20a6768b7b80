import type { Element, ElementContent } from "hast";
import { toString as textContent } from "hast-util-to-string";
import { isParagraph, odtStyles } from "./odt-styles.ts";
import { attribute, childElements } from "./xml.ts";

/**
 * The text of an OpenDocument text without what its styles, sections, conditions and tables hide.
 * @param parts the parts of the document that define styles, the more general first
 * @returns also whether anything was hidden
 */
export function withoutHiddenOdtText(text: Element, parts: Element[]): { element: Element; found: boolean } {
  const hiddenBy = odtStyles(parts, hidesText);
  let found = false;
  const visible = (node: ElementContent, hidden: boolean): ElementContent[] => {
    if (node.type === "element" && !isHiddenWhole(node) && !(hidden && node.tagName === "text:note")) {
      const isHidden = hiddenBy(node) ?? hidden;
      return [{ ...node, children: node.children.flatMap((child) => visible(child, isHidden)) }];
    }
    if (node.type === "text" && !hidden) return [node];
    if (node.type === "text" || node.type === "element") found ||= textContent(node).trim() !== "";
    return [];
  };
  const children = text.children.flatMap((node) => visible(node, false));
  return { element: { ...text, children }, found };
}

function hidesText(properties: Element | null): boolean | null {
  const display = attribute(properties, "text:display");
  return display === "" ? null : display === "none";
}

/** A hidden section, a row that is not shown, or text whose condition hid it when the file was saved. */
function isHiddenWhole(node: Element): boolean {
  if (attribute(node, "text:display") === "none" || attribute(node, "table:visibility") === "collapse") return true;
  if (attribute(node, "text:is-hidden") === "true") return true;
  return isParagraph(node) && hidesItsParagraph(node);
}

/** Whether a field of this paragraph, not of one inside it, hides it. */
function hidesItsParagraph(node: Element): boolean {
  return childElements(node).some((child) => {
    if (isParagraph(child)) return false;
    return (
      (child.tagName === "text:hidden-paragraph" && attribute(child, "text:is-hidden") === "true") ||
      hidesItsParagraph(child)
    );
  });
}

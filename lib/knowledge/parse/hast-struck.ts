import type { Element, Root, RootContent } from "hast";
import { taskMark } from "./hast-tasks.ts";
import { inlineText, isDropped } from "./hast-text.ts";

const STRUCK = new Set(["s", "del", "strike"]);
const DECORATION = /^\s*text-decoration(?:-line)?\s*:/i;
/** Elements that name what stands below or beside them. */
const NAMES = /^(?:h[1-9]|th|dt|summary|caption)$/;

type Child = RootContent & Element["children"][number];

/**
 * Leaves out struck-out text, which is no longer valid. Done tasks keep theirs, and so do headings and other names that
 * are struck out whole, because the text that they name would seem to belong to the name before.
 * @returns the tree as it was if nothing but headings would be left, and whether text was left out
 */
export function withoutStruckText<T extends Root | Element>(tree: T): { tree: T; found: boolean } {
  let kept = 0;
  let struck = 0;

  function strip(nodes: (RootContent | Child)[]): Child[] {
    return nodes.flatMap((node): Child[] => {
      if (node.type === "doctype") return [];
      if (node.type === "text" && node.value.trim() !== "") kept++;
      if (node.type !== "element" || isDropped(node)) return [node];
      if (isStruck(node)) return space(node);
      // the first cell of a row names the others
      const isName = node.tagName === "td" && nodes.find(({ type }) => type === "element") === node;
      if (taskMark(node) !== "[x] ") return [stripElement(node, isName)];
      kept++;
      return [node];
    });
  }

  function stripElement(node: Element, isName: boolean): Element {
    const before = kept;
    const end = isName ? node.children.length : nameEnd(node);
    const children = [...stripName(node.children.slice(0, end)), ...strip(node.children.slice(end))];
    if (/^h[1-9]$/.test(node.tagName)) kept = before;
    return { ...node, children };
  }

  function stripName(nodes: Child[]): Child[] {
    const before = { kept, struck };
    const left = strip(nodes);
    if (kept > before.kept) return left;
    struck = before.struck;
    return nodes;
  }

  /** What stays of a struck-out element: the space that it has between two words. */
  function space(node: Element): Child[] {
    const text = inlineText(node);
    if (text.trim() !== "") struck++;
    return text === text.trim() ? [] : [{ type: "text", value: " " }];
  }

  const children = strip(tree.children);
  return struck === 0 || kept === 0 ? { tree, found: false } : { tree: { ...tree, children }, found: true };
}

function isStruck({ tagName, properties }: Element): boolean {
  if (STRUCK.has(tagName)) return true;
  if (typeof properties.style !== "string") return false;
  return properties.style.split(";").some((rule) => DECORATION.test(rule) && /\bline-through\b/i.test(rule));
}

/** The number of children that name something: those of a heading, or those of an item before its list. */
function nameEnd(node: Element): number {
  if (NAMES.test(node.tagName)) return node.children.length;
  if (node.tagName !== "li") return 0;
  return Math.max(
    0,
    node.children.findIndex((child) => child.type === "element" && /^[uo]l$/.test(child.tagName)),
  );
}

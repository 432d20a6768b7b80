import type { Element, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { toString as textContent } from "hast-util-to-string";
import { type ParsedDocument, tidyLine } from "./document.ts";
import { blocksFromHast } from "./hast.ts";
import { withoutStruckText } from "./hast-struck.ts";
import { STRUCK_TEXT } from "./hidden-notice.ts";

/** Elements around the main content of a page. */
const SURROUNDINGS = new Set(["nav", "header", "footer", "aside", "form", "menu"]);
const HEADING = /^h[1-6]$/;
const SURROUNDING_ROLES = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
  "search",
  "menu",
  "alertdialog",
]);

/** Reads the main content of a page. The title is `<title>`, otherwise the first `<h1>`. */
export function parseHtml(html: string): ParsedDocument {
  const root = fromHtml(html);
  const title = find(root, "title");
  const content = mainContent(root);
  const main = readContent(withoutSurroundings(content));
  // reads the whole page when nothing is left, for example when a form wraps it
  const { blocks, notice } = main.blocks.length > 0 ? main : readContent(content);
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  const own = title === null ? "" : tidyLine(textContent(title));
  return {
    title: own !== "" ? own : heading?.kind === "heading" ? heading.text : null,
    blocks,
    metadata: {},
    notice,
  };
}

function readContent(content: Root | Element): Pick<ParsedDocument, "blocks" | "notice"> {
  const { tree, found } = withoutStruckText(content);
  return { blocks: blocksFromHast(tree), notice: found ? STRUCK_TEXT : undefined };
}

function mainContent(root: Root): Root | Element {
  const main = find(root, "main") ?? findRole(root, "main");
  if (main !== null) return main;
  const articles = findAll(root, (node) => node.tagName === "article");
  return articles.length === 1 && articles[0] !== undefined ? articles[0] : (find(root, "body") ?? root);
}

/** @param outer names of the elements that may be content in the section around the node */
function withoutSurroundings<T extends Root | Element>(node: T, outer: string[] = []): T {
  const own = (node.type === "element" ? ownParts(node) : null) ?? outer;
  const kept = node.children.filter((child) => child.type !== "element" || !isSurrounding(child, own));
  return {
    ...node,
    children: kept.map((child) => (child.type === "element" ? withoutSurroundings(child, own) : child)),
  };
}

/** Names of the elements that may be content in a section; null when the node is none. */
function ownParts(node: Element): string[] | null {
  if (node.tagName === "main") return ["header"];
  if (node.tagName !== "article" && node.tagName !== "section") return null;
  return holds(node, HEADING) ? ["header", "footer"] : [];
}

/** A header or form that contains the page's headline is content: the page's header, or a page inside one form. */
function isSurrounding(node: Element, sectionParts: string[]): boolean {
  const role = node.properties.role;
  const ofSection = sectionParts.includes(node.tagName) && isOfSection(node);
  const named =
    (SURROUNDINGS.has(node.tagName) && !ofSection) || (Array.isArray(role) ? role : [role]).some(isSurroundingRole);
  return named && find(node, "h1") === null && find(node, "main") === null;
}

/** Whether a header has the heading of its section, or a footer only text, not links to share or settings. */
function isOfSection(node: Element): boolean {
  return node.tagName === "header" ? holds(node, HEADING) && !holds(node, /^nav$/) : !holds(node, /^(?:nav|a|button)$/);
}

function isSurroundingRole(role: unknown): boolean {
  return typeof role === "string" && SURROUNDING_ROLES.has(role);
}

/** Whether an element inside the node has such a name. */
function holds(node: Element, name: RegExp): boolean {
  return node.children.some((child) => child.type === "element" && (name.test(child.tagName) || holds(child, name)));
}

function find(node: Root | Element, tagName: string): Element | null {
  return findAll(node, (element) => element.tagName === tagName)[0] ?? null;
}

function findRole(node: Root | Element, role: string): Element | null {
  return findAll(node, ({ properties }) => [properties.role].flat().includes(role))[0] ?? null;
}

function findAll(node: Root | Element, matches: (element: Element) => boolean): Element[] {
  return node.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return matches(child) ? [child, ...findAll(child, matches)] : findAll(child, matches);
  });
}

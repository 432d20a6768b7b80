import type { Element, Root } from "hast";
import type { Block } from "./document.ts";
import { tidyLine, tidyLines } from "./document.ts";
import { withPlainSuperscripts } from "./hast-superscripts.ts";
import { readTable } from "./hast-table.ts";
import { taskMark } from "./hast-tasks.ts";
import { codeText, type HastNode, inlineText, isDropped, isInline, titleText } from "./hast-text.ts";

/** Converts an HTML tree into blocks. HTML, Markdown and DOCX files are all read as such a tree. */
export function blocksFromHast(root: Root | Element): Block[] {
  const blocks: Block[] = [];
  let inline = "";

  function flush(): void {
    const text = tidyLines(inline);
    if (text !== "") blocks.push({ kind: "paragraph", text });
    inline = "";
  }

  function visit(node: HastNode): void {
    if (node.type === "text") {
      inline += node.value.replace(/\s+/g, " ");
      return;
    }
    if (node.type === "root") {
      for (const child of node.children) visit(child);
      return;
    }
    if (node.type !== "element" || isDropped(node)) return;
    if (node.tagName === "br") {
      inline += "\n";
      return;
    }
    const breaks = !isInline(node) || holdsBlocks(node);
    if (breaks) flush();
    const own = breaks ? ownBlocks(node) : null;
    for (const block of own ?? []) blocks.push(block);
    if (own === null) for (const child of node.children) visit(child);
    if (breaks) flush();
  }

  visit(withPlainSuperscripts(root));
  flush();
  return blocks;
}

/** The blocks of an element; null for a container, whose children are read instead. */
function ownBlocks(node: Element): Block[] | null {
  const heading = /^h([1-9])$/.exec(node.tagName);
  if (heading !== null) return [{ kind: "heading", level: Number(heading[1]), text: titleText(node) }];
  if (node.tagName === "pre") return [{ kind: "code", text: codeText(node) }];
  if (node.tagName === "table") return readTable(node);
  if (/^(?:summary|dt)$/.test(node.tagName) && !holdsBlocks(node) && tidyLine(inlineText(node)) === "") {
    return [{ kind: "paragraph", text: titleText(node) }];
  }
  if ((node.tagName === "ul" || node.tagName === "ol") && !holdsBlocks(node)) {
    return [{ kind: "list", text: listLines(node, "").join("\n") }];
  }
  if (node.tagName === "dl" && !holdsBlocks(node)) return [{ kind: "list", text: definitionLines(node).join("\n") }];
  return null;
}

/** Whether a list or an inline element is used for layout, around headings, tables or code. */
function holdsBlocks(node: Element): boolean {
  return node.children.some(
    (child) => child.type === "element" && (/^(?:h\d|table|pre)$/.test(child.tagName) || holdsBlocks(child)),
  );
}

function listLines(list: Element, indent: string): string[] {
  let number = typeof list.properties.start === "number" ? list.properties.start : 1;
  return list.children.flatMap((item) => {
    if (item.type !== "element" || isDropped(item)) return [];
    const nested = nestedLists(item);
    const text = tidyLine(inlineText(item, nested));
    const value = Number.parseInt(String(item.properties.value), 10);
    if (Number.isSafeInteger(value)) number = value;
    const bullet = list.tagName === "ol" ? `${number++}.` : "-";
    const own = text === "" ? [] : [`${indent}${bullet} ${taskMark(item)}${text}`];
    return own.concat(nested.flatMap((inner) => listLines(inner, `${indent}  `)));
  });
}

function nestedLists(node: Element): Element[] {
  return node.children.flatMap((child) => {
    if (child.type !== "element" || isDropped(child)) return [];
    return child.tagName === "ul" || child.tagName === "ol" ? [child] : nestedLists(child);
  });
}

function definitionLines(list: Element): string[] {
  const lines: string[] = [];
  let term = "";
  let isExplained = false;
  function visit(node: Element): void {
    for (const child of node.children) {
      if (child.type !== "element" || isDropped(child)) continue;
      const text = child.tagName === "dt" ? titleText(child) : tidyLine(inlineText(child));
      if (child.tagName === "dt") {
        term = term === "" || isExplained ? text : `${term}, ${text}`;
        isExplained = false;
      } else if (child.tagName === "dd") {
        lines.push(term === "" ? `- ${text}` : `- ${term}: ${text}`);
        isExplained = true;
      } else visit(child);
    }
  }
  visit(list);
  if (term !== "" && !isExplained) lines.push(`- ${term}`);
  return lines;
}

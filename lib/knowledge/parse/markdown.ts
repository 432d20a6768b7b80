import type { Element, ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import { parse as parseYaml } from "yaml";
import type { Block, ParsedDocument } from "./document.ts";
import { blocksFromHast } from "./hast.ts";

/** The parser takes time and memory out of proportion for long texts, so these are read part by part. */
const PART_CHARACTERS = 100_000;

/** Markdown with tables, task lists and YAML front matter; HTML inside it is read as HTML. */
export function parseMarkdown(markdown: string): ParsedDocument {
  const [first = "", ...rest] = splitParts(markdown);
  const { tree, blocks } = parsePart(first);
  const { title = null, ...metadata } = readFrontMatter(tree);
  return { title, blocks: [...blocks, ...rest.flatMap((part) => parsePart(part).blocks)], metadata };
}

function parsePart(markdown: string): { tree: Nodes; blocks: Block[] } {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm(), frontmatter(["yaml"])],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(["yaml"])],
  });
  const hast = toHast(tree, { allowDangerousHtml: true });
  return { tree, blocks: hast.type === "root" ? blocksFromHast(withHtml(hast)) : [] };
}

/** Cuts before a heading, or at a blank line when none comes for long, but never inside a fence of code. */
function splitParts(markdown: string): string[] {
  if (markdown.length <= PART_CHARACTERS) return [markdown];
  const parts: string[][] = [[]];
  let length = 0;
  let fenced = false;
  for (const line of markdown.split("\n")) {
    const cut = /^#{1,6}\s/.test(line) ? length > PART_CHARACTERS / 2 : line.trim() === "" && length > PART_CHARACTERS;
    if (cut && !fenced) {
      parts.push([]);
      length = 0;
    }
    if (/^ {0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    parts.at(-1)?.push(line);
    length += line.length + 1;
  }
  return parts.map((lines) => lines.join("\n"));
}

function readFrontMatter(tree: Nodes): Record<string, string> {
  const first = tree.type === "root" ? tree.children[0] : undefined;
  if (first?.type !== "yaml") return {};
  const entries = Object.entries(parseScalars(first.value)).flatMap(([key, value]): [string, string][] => {
    if (value instanceof Date) return [[key, value.toISOString()]];
    return ["string", "number", "boolean"].includes(typeof value) ? [[key, String(value)]] : [];
  });
  return Object.fromEntries(entries);
}

function parseScalars(yaml: string): object {
  try {
    const value: unknown = parseYaml(yaml, { logLevel: "silent" });
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    // Front matter only describes the document; a mistake in it must not keep the text out.
    return {};
  }
}

/** Replaces raw HTML by the tree that it stands for. */
function withHtml<T extends Root | Element>(node: T): T {
  const children = node.children.flatMap((child: RootContent | ElementContent): (RootContent | ElementContent)[] => {
    if (child.type === "raw") return readRawHtml(child.value);
    return child.type === "element" ? [withHtml(child)] : [child];
  });
  return { ...node, children };
}

/** A placeholder in angle brackets, such as `<your name>`, is text that merely looks like a tag. */
function readRawHtml(value: string): RootContent[] {
  const name = /^<([a-z][\w-]*)[^>]*>$/i.exec(value)?.[1]?.toLowerCase();
  if (name !== undefined && !HTML_NAMES.has(name)) return [{ type: "text", value }];
  return fromHtml(value, { fragment: true }).children;
}

const HTML_NAMES = new Set(
  (
    "a abbr address article aside audio b bdi bdo big blockquote body br button canvas caption center cite code col colgroup dd del " +
    "details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i " +
    "iframe img input ins kbd label legend li link main map mark math menu meta nav noscript object ol optgroup option output p param " +
    "picture pre progress q rp rt ruby s samp script section select small source span strike strong style sub summary sup svg table " +
    "tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr"
  ).split(" "),
);

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
import { type Block, type ParsedDocument, UnreadableFile } from "./document.ts";
import { blocksFromHast } from "./hast.ts";

/** The parser takes time and memory out of proportion for long texts, so these are read part by part. */
const PART_CHARACTERS = 100_000;

/**
 * Markdown with tables, task lists and YAML front matter; HTML inside it is read as HTML.
 * @throws UnreadableFile for quotes and lists within each other a hundred deep
 */
export function parseMarkdown(markdown: string): ParsedDocument {
  const shallow = markdown.replace(INDENT, "$1");
  if (NESTED.test(shallow)) throw new UnreadableFile("The file is nested too deeply to be read.");
  const [first, ...rest] = splitParts(shallow).flatMap(separateHostile).map(parsePart);
  const { title = null, ...metadata } = first?.tree ? readFrontMatter(first.tree) : {};
  return { title, blocks: [...(first?.blocks ?? []), ...rest.flatMap(({ blocks }) => blocks)], metadata };
}

/** Of quotes and lists around one line; the parser's time grows with their square. */
const NESTING_MAX = 100;
const NESTED = new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${NESTING_MAX + 1}}`, "m");
/** Spaces before a line that say how deep it lies; more say no more. */
const INDENT_MAX = 2 * NESTING_MAX;
const INDENT = new RegExp(`^([ \\t]{${INDENT_MAX}})[ \\t]+`, "gm");
/** Characters that may be marks of emphasis, links, code or HTML, in a paragraph; the same holds for them. */
const MARKS_MAX = 3_000;
const MARKS = /[*_[\]<`~!&@:]/g;
/** A line that begins something of its own, or ends a paragraph. */
const STARTS = /^[ \t]*(?:$|#|>|\||[-*+][ \t]|\d{1,9}[.)][ \t])/;
const FENCE = /^ {0,3}(?:`{3,}[^`\n]*(?:\n|$)|~~~)/;
const HTML_BLOCK = /^ {0,3}<\/?(?:table|tbody|thead|tr|td|th|div|p|[uod]l|li|section|details|h[1-6])(?=[\s>]|\/>|$)/i;
const FRONT_MATTER_CHARACTERS_MAX = 20_000;

/** Markdown to parse, or a paragraph of so many marks that it stays as it stands. */
interface Part {
  text: string;
  plain: boolean;
}

/** Sets the paragraphs with thousands of marks apart. */
function separateHostile(markdown: string): Part[] {
  if (countMarks(markdown) <= MARKS_MAX) return [{ text: markdown, plain: false }];
  const parts: Part[] = [];
  for (const lines of paragraphs(markdown)) {
    const text = lines.join("\n");
    const plain = countMarks(text) > MARKS_MAX && !FENCE.test(text) && !HTML_BLOCK.test(text);
    const last = parts.at(-1);
    if (last && !last.plain && !plain) last.text += `\n${text}`;
    else parts.push({ text, plain });
  }
  return parts;
}

/** The lines of each paragraph, or of each fence of code. */
function paragraphs(markdown: string): string[][] {
  const found: string[][] = [[]];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    const fence = FENCE.test(line);
    if (!fenced && (fence || STARTS.test(line))) found.push([]);
    if (fence) fenced = !fenced;
    found.at(-1)?.push(line);
  }
  return found.filter((lines) => lines.length > 0);
}

function countMarks(text: string): number {
  return text.match(MARKS)?.length ?? 0;
}

function parsePart({ text, plain }: Part): { tree?: Nodes; blocks: Block[] } {
  if (plain) return { blocks: [{ kind: "paragraph", text: text.trim() }] };
  const tree = fromMarkdown(text, {
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
    if (FENCE.test(line)) fenced = !fenced;
    parts.at(-1)?.push(line);
    length += line.length + 1;
  }
  return parts.map((lines) => lines.join("\n"));
}

function readFrontMatter(tree: Nodes): Record<string, string> {
  const first = tree.type === "root" ? tree.children[0] : undefined;
  // the library compares each key with every other
  if (first?.type !== "yaml" || first.value.length > FRONT_MATTER_CHARACTERS_MAX) return {};
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

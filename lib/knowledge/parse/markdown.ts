import type { Element, ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import type { Nodes, PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import { parse as parseYaml } from "yaml";
import { type Block, type ParsedDocument, type ReadMetadata, tooDeeplyNested } from "./document.ts";
import { blocksFromHast } from "./hast.ts";
import { withoutStruckText } from "./hast-struck.ts";
import { STRUCK_TEXT } from "./hidden-notice.ts";
import { keepUnusedDefinitions } from "./markdown-definitions.ts";

/** Long texts are parsed in parts, because the parser's time and memory grow faster than the text. */
const PART_CHARACTERS = 100_000;

/**
 * Parses Markdown with tables, task lists and YAML front matter. Embedded HTML is parsed as HTML.
 * @throws {UnreadableFile} when quotes and lists are nested more than 100 levels deep
 */
export function parseMarkdown(markdown: string): ParsedDocument {
  const shallow = markdown.replace(INDENT, "$1");
  if (NESTED.test(shallow)) throw tooDeeplyNested();
  const parts = splitParts(shallow).flatMap(separateHostile).map(parsePart);
  const [first] = parts;
  const { title, ...metadata } = first?.tree ? readFrontMatter(first.tree) : {};
  return {
    title: title === undefined ? null : String(title),
    blocks: parts.flatMap(({ blocks }) => blocks),
    metadata,
    notice: parts.some(({ struck }) => struck) ? STRUCK_TEXT : undefined,
  };
}

/** Nested quotes and lists around one line: the parser's time grows with the square of their number. */
const NESTING_MAX = 100;
const NESTED = new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${NESTING_MAX + 1}}`, "m");
/** Longer indentation than the deepest nesting needs is cut. */
const INDENT_MAX = 2 * NESTING_MAX;
const INDENT = new RegExp(`^([ \\t]{${INDENT_MAX}})[ \\t]+`, "gm");
/** Characters in a paragraph that may be Markdown or HTML syntax: the parser's time grows with the square of their number. */
const MARKS_MAX = 3_000;
const MARKS = /[*_[\]<`~!&@:]/g;
/** A line that starts a new block or ends a paragraph. */
const STARTS = /^[ \t]*(?:$|#|>|\||[-*+][ \t]|\d{1,9}[.)][ \t])/;
const FENCE = /^ {0,3}(?:`{3,}[^`\n]*(?:\n|$)|~~~)/;
const HTML_BLOCK = /^ {0,3}<\/?(?:table|tbody|thead|tr|td|th|div|p|[uod]l|li|section|details|h[1-6])(?=[\s>]|\/>|$)/i;
const FRONT_MATTER_CHARACTERS_MAX = 20_000;

/** Markdown to parse, or a paragraph with too many marks, which stays plain text. */
interface Part {
  text: string;
  plain: boolean;
}

/** Separates the paragraphs with too many marks. */
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

/** The lines of each paragraph or fenced code block. */
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

interface ParsedPart {
  tree?: Nodes;
  blocks: Block[];
  /** Whether struck-out text was left out. */
  struck: boolean;
}

function parsePart({ text, plain }: Part): ParsedPart {
  if (plain) return { blocks: [{ kind: "paragraph", text: text.trim() }], struck: false };
  const tree = fromMarkdown(text, {
    // the tildes of "9~12, 14~18" would strike out what is between them
    extensions: [gfm({ singleTilde: false }), frontmatter(["yaml"])],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(["yaml"])],
  });
  keepLabelLines(tree, text);
  keepUnusedDefinitions(tree, text);
  const hast = toHast(tree, { allowDangerousHtml: true });
  if (hast.type !== "root") return { tree, blocks: [], struck: false };
  const valid = withoutStruckText(withHtml(hast));
  return { tree, blocks: blocksFromHast(valid.tree), struck: valid.found };
}

/** A line such as "Weight: 38.5 kg", even with an emphasised label. Wrapped prose goes on in lower case. */
const LABEL_LINE = /^[ >]{0,9}[*_]{0,3}[\p{Lu}\p{Lo}\p{N}][^:.!?|]{0,60}:[*_]{0,3} +\S/u;

/** Breaks the lines of paragraphs that have a label and a value in each line, which Markdown would join. */
function keepLabelLines(node: Nodes, source: string): void {
  if (!("children" in node)) return;
  const { position } = node;
  if (node.type !== "paragraph" || position === undefined) {
    for (const child of node.children) keepLabelLines(child, source);
    return;
  }
  const lines = source.slice(position.start.offset, position.end.offset).split("\n");
  if (lines.length < 2 || !lines.every((line) => LABEL_LINE.test(line))) return;
  node.children = node.children.flatMap((child): PhrasingContent[] => {
    if (child.type !== "text") return [child];
    const [first = "", ...rest] = child.value.split("\n");
    return [{ type: "text", value: first }, ...rest.flatMap(brokenLine)];
  });
}

function brokenLine(value: string): PhrasingContent[] {
  return [{ type: "break" }, { type: "text", value }];
}

/** Splits before a heading, or at a blank line when there is no heading for long, but never inside a fenced code block. */
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

function readFrontMatter(tree: Nodes): ReadMetadata {
  const first = tree.type === "root" ? tree.children[0] : undefined;
  // the YAML library compares every key with all others
  if (first?.type !== "yaml" || first.value.length > FRONT_MATTER_CHARACTERS_MAX) return {};
  const entries = Object.entries(parseScalars(first.value)).flatMap(
    ([key, value]): [string, ReadMetadata[string]][] => {
      if (value instanceof Date) return [[key, value.toISOString()]];
      if (typeof value === "number" && !Number.isFinite(value)) return [];
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[key, value]] : [];
    },
  );
  return Object.fromEntries(entries);
}

function parseScalars(yaml: string): object {
  try {
    const value: unknown = parseYaml(yaml, { logLevel: "silent" });
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    // an error in the front matter must not prevent reading the text
    return {};
  }
}

/** Replaces raw HTML by its parsed tree. */
function withHtml<T extends Root | Element>(node: T): T {
  const joined = joinTags(node.children);
  const children = joined.flatMap((child: RootContent | ElementContent): (RootContent | ElementContent)[] => {
    if (child.type === "raw") return readRawHtml(child.value);
    return child.type === "element" ? [withHtml(child)] : [child];
  });
  return { ...node, children };
}

const JOINED_TAG = /^<(\/?)(sup|s|del|strike)(?:\s[^>]*)?>$/i;

/** Joins the tags of superscripts and struck-out text with what they enclose, which would be parsed one by one. */
function joinTags(children: (RootContent | ElementContent)[]): (RootContent | ElementContent)[] {
  const joined: (RootContent | ElementContent)[] = [];
  let open: { name: string; start: number }[] = [];
  for (const child of children) {
    const [, slash, tag = ""] = (child.type === "raw" ? JOINED_TAG.exec(child.value.trim()) : null) ?? [];
    const name = tag.toLowerCase();
    const opened = open.find((each) => each.name === name);
    if (slash === "/" && opened !== undefined) {
      open = open.filter(({ start }) => start < opened.start);
      const content = joined.splice(opened.start).slice(1);
      const enclosed = content.flatMap((inside) => (inside.type === "doctype" ? [] : [inside]));
      joined.push({ type: "element", tagName: name, properties: {}, children: enclosed });
      continue;
    }
    // the last tag of a name counts, so that hostile texts do not nest thousands
    if (slash === "") open = [...open.filter((each) => each !== opened), { name, start: joined.length }];
    joined.push(child);
  }
  return joined;
}

/** A placeholder in angle brackets, such as `<your name>`, stays text although it looks like a tag. */
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

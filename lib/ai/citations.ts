import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Passage } from "./passage.ts";

type Edit = { start: number; end: number; text: string };

const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;
/** A tag that can neither fetch nor run anything, such as <br> or the <Enter> of "press <Enter>". */
const PLAIN_TAG =
  /^<\/?(?!(?:script|style|iframe|object|embed|svg|math|form|template|textarea|title|xmp|plaintext)\b)[a-z][\w-]*\s*\/?>$/i;
/** A rewritten text is parsed again, since what stands around an edit may read differently; one that never settles loses its markup. */
const PASSES_MAX = 8;

/**
 * Makes a generated answer safe to show and its `[n]` true. Citations become `[1][2]` in any notation they came in;
 * numbers that no passage has are removed. A link or image whose address is not in a cited passage keeps its words and
 * loses its address, since a Markdown image is fetched by whoever displays it; HTML is shown as text.
 *
 * @param passages the passages that the model was shown: `[1]` is the first.
 */
export function checkCitations(answer: string, passages: readonly Passage[]): string {
  const cited = normaliseCitations(withoutForeignLinks(answer, passages), passages.length);
  const citedPassages = citedNumbers(cited).flatMap((number) => passages[number - 1] ?? []);
  return withoutForeignLinks(cited, citedPassages).trim();
}

/** The numbers that a checked answer cites, each once, in order of appearance. */
export function citedNumbers(answer: string): number[] {
  return [...new Set([...answer.matchAll(/\[(\d{1,3})\]/g)].map(([, digits]) => Number(digits)))];
}

// White space is bounded everywhere: an answer may be nonsense, and long runs of it would take quadratic time.
const NUMBERS = /\s{0,2}(?:passages?\s{1,2})?\d{1,3}(?:\s{0,2}(?:[,;–-]|and)\s{0,2}\d{1,3}){0,30}\s{0,2}/.source;
const BRACKETS = `(?:\\[\\^?${NUMBERS}\\]|【${NUMBERS}(?:†[^】]*)?】)`;
const CITATION_RUN = new RegExp(`([ \\t]{0,2})(${BRACKETS}(?:\\s{0,2},?\\s{0,2}${BRACKETS})*)`, "gi");

function normaliseCitations(answer: string, passageCount: number): string {
  const code = codeRanges(parse(answer));
  return answer.replaceAll(CITATION_RUN, (run: string, space: string, brackets: string, offset: number) => {
    if (code.some(({ start, end }) => offset < end && offset + run.length > start)) return run;
    const known = [...new Set(numbersOf(brackets))].filter((number) => number >= 1 && number <= passageCount);
    return known.length === 0 ? "" : `${space}${known.map((number) => `[${number}]`).join("")}`;
  });
}

/** `1, 3-5` as 1, 3, 4, 5; a range that runs backwards or is absurdly long counts as its ends. */
function numbersOf(brackets: string): number[] {
  return [...brackets.matchAll(/(\d{1,3})(?:\s*[–-]\s*(\d{1,3}))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    const last = to === undefined ? first : Number(to);
    if (last < first || last - first > 20) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

function withoutForeignLinks(answer: string, passages: readonly Passage[]): string {
  let text = answer;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const edits = [...foreignLinks(parse(text), text, passages)];
    if (edits.length === 0) return text;
    text = applyEdits(text, edits);
  }
  return text.replaceAll(/[[\]<>`@]|:\/\/|www\./gi, " ");
}

function* foreignLinks(node: Nodes, text: string, passages: readonly Passage[]): Generator<Edit> {
  const range = rangeOf(node);
  switch (node.type) {
    case "image":
      if (!isKnown(node.url, passages)) yield { ...range, text: node.alt ?? "" };
      return;
    case "link":
      if (!isKnown(node.url, passages)) {
        const [first, last] = [node.children.at(0), node.children.at(-1)];
        const words = first && last ? text.slice(rangeOf(first).start, rangeOf(last).end) : "";
        const isBare = words === text.slice(range.start, range.end) || text[range.start] === "<";
        yield { ...range, text: isBare ? unlinked(words) : asWords(words) };
        return;
      }
      break;
    case "definition":
      yield { ...range, text: "" };
      return;
    case "html":
      if (!PLAIN_TAG.test(node.value))
        yield { ...range, text: text.slice(range.start, range.end).replaceAll("<", "&lt;") };
      return;
  }
  if ("children" in node) for (const child of node.children) yield* foreignLinks(child, text, passages);
}

/** An address that can be read but that no viewer turns into a link. */
function unlinked(address: string): string {
  return address
    .replace(/^[a-z]+:\/\//i, "")
    .replaceAll(/www\./gi, "")
    .replaceAll("@", "(at)");
}

/** The words of a link; of `[1](address)`, the citation. */
function asWords(words: string): string {
  return /^\d{1,3}$/.test(words) ? `[${words}]` : words;
}

function isKnown(url: string, passages: readonly Passage[]): boolean {
  if (!SAFE_SCHEME.test(url)) return false;
  const bare = url.replace(/^(?:mailto|tel):/i, "").replace(/^http:\/\/(?=www\.)/i, "");
  return passages.some(({ content }) => holdsWhole(content, bare));
}

/** Whether an address stands in a text by itself, not as the beginning or the end of a longer one. */
function holdsWhole(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + address.length);
    if (!/[\w.\-/:@%]$/.test(before) && !/^(?:[\w\-/@%=&#?+~]|[.:,;!][\w/])/.test(after)) return true;
  }
  return false;
}

function parse(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

function codeRanges(node: Nodes): { start: number; end: number }[] {
  if (node.type === "code" || node.type === "inlineCode") return [rangeOf(node)];
  return "children" in node ? node.children.flatMap(codeRanges) : [];
}

function rangeOf(node: Nodes): { start: number; end: number } {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: replacement }) => result.slice(0, start) + replacement + result.slice(end),
      text,
    );
}

import { codeRanges, type Range } from "./code-ranges.ts";
import type { ContextChunk } from "./context-chunk.ts";

type Edit = Range & { text: string };

const SAFE_ADDRESS = /^(?:https?|mailto|tel):[^\s"<>`\\]+$/i;
/** Bare addresses that viewers turn into links. */
const BARE_ADDRESS = /(?:(?:https?|ftp):\/\/|www\.)[^\s<>]*|[\w.+-]{1,64}@[\w-]{1,100}(?:\.[\w-]{1,100})+/gi;
const TRAILING = /[?!.,:;*_~'")\]]{1,20}$/;
/** A link's address and title, which follow its text. */
const RESOURCE =
  /\(\s{0,9}(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*){0,20}))(?:\s{1,9}(?:"[^"]{0,300}"|'[^']{0,300}'))?\s{0,9}\)/y;
const DEFINITION = /^ {0,3}\[[^[\]]{1,999}\]:[ \t]*(?:<[^<>]*>|\S+)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;
/** The colon of a possible link definition: the line may contain an address and a title after it. */
const DEFINITION_COLON = /\]:(?=[ \t]*(?:$|(?:<[^<>]*>|\S+)[ \t]*(?:$|["'(])))/g;
/** Elements that fetch, run, submit or take over the page, with or without attributes. */
const ACTIVE_ELEMENT =
  "a|applet|area|audio|base|body|button|canvas|dialog|embed|fieldset|form|frame|frameset|head|html|iframe|image|img|input|isindex|link|listing|map|marquee|math|meta|noembed|noframes|noscript|object|optgroup|option|param|picture|plaintext|portal|script|select|slot|source|style|svg|template|textarea|title|track|video|xmp";
/** A tag that can neither fetch nor run anything, such as <br> or the <Enter> of "press <Enter>". */
const PLAIN_TAG = new RegExp(`</?(?!(?:${ACTIVE_ELEMENT})\\b)[a-z]\\w*[ \\t]?/?>`, "iy");
const AUTOLINK = /<((?:https?|ftp|mailto|tel):[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy;
/** Where an HTML parser sees a tag, including a backslash before it, with which Markdown sees none. */
const TAG_START = /\\?<(?=[a-z/!?])/gi;
/**
 * An edit may join separate parts, so the text is checked again. A text that still changes after this many passes loses
 * its markup.
 */
const PASSES_MAX = 10;

/**
 * Returns the text as Markdown that no viewer turns into anything active, whether it renders Markdown or takes the text
 * for HTML. A link or image whose address is not in `chunks` keeps its text and loses its address, because viewers
 * fetch images. Tags other than plain ones are shown as text: `&lt;img`, and within code `< img`. This works on the
 * text and not with a parser, because viewers parse differently and no Markdown parser takes linear time.
 */
export function safeMarkdown(answer: string, chunks: readonly ContextChunk[]): string {
  let text = answer;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const edits = [...unsafeMarkup(text, chunks)];
    if (edits.length === 0) return text;
    text = applyEdits(text, edits);
  }
  return text.replaceAll(/[[\]<>`@]|:\/\/|www\./gi, " ");
}

function* unsafeMarkup(text: string, chunks: readonly ContextChunk[]): Generator<Edit> {
  const code = codeRanges(text);
  const kept: Range[] = [];
  yield* foreignLinks(text, code, chunks, kept);
  yield* definitions(text, code);
  yield* bareAddresses(text, [...code, ...kept], chunks);
  yield* tags(text, code);
}

/** @param kept collects the ranges of addresses that are kept */
function* foreignLinks(
  text: string,
  code: readonly Range[],
  chunks: readonly ContextChunk[],
  kept: Range[],
): Generator<Edit> {
  const open: number[] = [];
  const bracket = /[[\]]/g;
  for (let found = bracket.exec(text); found !== null; found = bracket.exec(text)) {
    const at = found.index;
    if (isWithin(at, code)) continue;
    if (text[at] === "[") {
      open.push(at);
      continue;
    }
    const start = open.pop();
    if (text[at + 1] !== "(") continue;
    RESOURCE.lastIndex = at + 1;
    const resource = RESOURCE.exec(text);
    if (start === undefined || resource === null) {
      yield { start: at + 1, end: at + 1, text: " " };
      continue;
    }
    const range = { start: at + 1, end: at + 1 + resource[0].length };
    bracket.lastIndex = range.end;
    if (isKnown(resource[2] ?? "", chunks)) kept.push(range);
    // keep the citation of `[1](address)`
    else if (/^\d{1,3}$/.test(text.slice(start + 1, at))) yield { ...range, text: "" };
    else {
      yield { start: text[start - 1] === "!" ? start - 1 : start, end: start + 1, text: "" };
      yield { start: at, end: range.end, text: "" };
    }
  }
}

/** Removes `[label]: address`, and breaks other colons after brackets except those of citations within a sentence. */
function* definitions(text: string, code: readonly Range[]): Generator<Edit> {
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if (isWithin(index, code)) continue;
    if (DEFINITION.test(line)) {
      yield { start: index, end: index + line.length, text: "" };
      continue;
    }
    const words = line.search(/\p{L}/u);
    for (const { index: at } of line.matchAll(DEFINITION_COLON)) {
      const isCitation = /\[\d{1,3}$/.test(line.slice(Math.max(0, at - 4), at)) && words >= 0 && words < at;
      if (!isCitation && !isWithin(index + at, code)) yield { start: index + at + 1, end: index + at + 1, text: " " };
    }
  }
}

function* bareAddresses(text: string, except: readonly Range[], chunks: readonly ContextChunk[]): Generator<Edit> {
  let start = 0;
  for (const range of [...except.toSorted((a, b) => a.start - b.start), { start: text.length, end: text.length }]) {
    for (const { 0: found, index } of text.slice(start, range.start).matchAll(BARE_ADDRESS)) {
      const at = start + index;
      const end = at + found.length;
      const isOpenEnded = text[end] === ">" && text[at - 1] !== "<";
      if (isOpenEnded || !isKnown(withScheme(found.replace(TRAILING, "")), chunks)) {
        yield { start: at, end, text: unlinked(found) };
      } else if (/[<`]/.test(text.charAt(end))) {
        // some viewers take what follows for a part of the address
        yield { start: end, end, text: " " };
      }
    }
    start = Math.max(start, range.end);
  }
}

function* tags(text: string, code: readonly Range[]): Generator<Edit> {
  for (const { 0: found, index } of text.matchAll(TAG_START)) {
    const start = index + found.length - 1;
    PLAIN_TAG.lastIndex = start;
    if (PLAIN_TAG.test(text)) continue;
    AUTOLINK.lastIndex = start;
    const autolink = AUTOLINK.exec(text)?.[0];
    if (isWithin(start, code)) yield { start: start + 1, end: start + 1, text: " " };
    else if (autolink !== undefined && found === "<") {
      yield { start, end: start + 1, text: "" };
      yield { start: start + autolink.length - 1, end: start + autolink.length, text: "" };
    } else yield { start: index, end: start + 1, text: "&lt;" };
  }
}

function withScheme(address: string): string {
  if (/^www\./i.test(address)) return `http://${address}`;
  return /^[a-z]+:\/\//i.test(address) ? address : `mailto:${address}`;
}

/** The address in a form that stays readable and that no viewer turns into a link. */
function unlinked(address: string): string {
  return address.replaceAll(/[a-z]+:\/\/|www\./gi, "").replaceAll("@", "(at)");
}

function isKnown(url: string, chunks: readonly ContextChunk[]): boolean {
  if (!SAFE_ADDRESS.test(url)) return false;
  const bare = url.replace(/^(?:mailto|tel):/i, "").replace(/^http:\/\/(?=www\.)/i, "");
  return chunks.some(({ content }) => holdsWhole(content, bare));
}

/** Whether a text contains an address as a whole, not as the beginning or end of a longer one. */
function holdsWhole(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + address.length, at + address.length + 2);
    if (!/[\w.\-/:@%]$/.test(before) && !/^(?:[\w\-/@%=&#?+~]|[.:,;!][\w/])/.test(after)) return true;
  }
  return false;
}

function isWithin(place: number, ranges: readonly Range[]): boolean {
  return ranges.some(({ start, end }) => start <= place && place < end);
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    // the text of this edit is removed already by an earlier one
    if (start < done) continue;
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}

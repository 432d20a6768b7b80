import type { Element, Root, RootContent, Text } from "hast";
import { tidyLine } from "./document.ts";
import { codeText, isDropped, isInline } from "./hast-text.ts";

/** The characters of a superscript and of the text before it that tell what it means. */
const CHARACTERS = 20;
const AMOUNT = "\\d{1,3}(?:[.,]?\\d{3})*";
const CODES = "(?:EUR|USD|GBP|CHF|PLN|CZK|HUF|RON|SEK|NOK|DKK)";
const PRICE_END = new RegExp(`(?:[€$£]|\\b${CODES})\\s?${AMOUNT}$`);
const AMOUNT_END = new RegExp(`(?<![\\d.,])${AMOUNT}$`);
const CURRENCY = new RegExp(`^\\s?(?:[€$£]|${CODES}\\b)`);

type Child = RootContent & Element["children"][number];

/**
 * Separates superscripts from the number before them, of which they would become digits: "10" with a raised 6 becomes
 * "10^6", "€49" with a raised 99 "€49.99". The number of a footnote is put in brackets.
 */
export function withPlainSuperscripts<T extends Root | Element>(tree: T): T {
  let before = "";

  function plain<N extends Root | Element>(node: N): N {
    const children = node.children.flatMap((child: RootContent, index): Child[] => {
      if (child.type === "doctype") return [];
      if (child.type === "text") before = (before + child.value).slice(-CHARACTERS);
      if (child.type !== "element" || isDropped(child)) return [child];
      return isSuperscript(child)
        ? plainSuperscript(child, node.children.slice(index + 1, index + 3))
        : [plainElement(child)];
    });
    return { ...node, children };
  }

  function plainElement(node: Element): Element {
    if (!isInline(node)) before = "";
    const changed = plain(node);
    if (!isInline(node)) before = "";
    return changed;
  }

  function plainSuperscript(node: Element, after: RootContent[]): Child[] {
    const raised = tidyLine(firstText(node, ""));
    const note = holdsLink(node) ? /^\[?(\d+)\]?$/.exec(raised)?.[1] : undefined;
    const mark = note === undefined ? markBefore(raised, before, after) : "";
    // a space would begin the next sentence with the mark of this one
    const written = note === undefined ? mark + raised : `${/[.!?\]]$/.test(before) ? "" : " "}[${note}]`;
    before = (before + written).slice(-CHARACTERS);
    if (note !== undefined) return [textNode(written)];
    return mark === "" ? [node] : [textNode(mark), node];
  }

  return plain(tree);
}

/** A superscript, or a link around one. */
function isSuperscript(node: Element): boolean {
  const [only, ...others] = node.children;
  const inside = node.tagName === "a" && others.length === 0 && only?.type === "element" ? only : node;
  return inside.tagName === "sup";
}

function holdsLink(node: Element): boolean {
  return node.tagName === "a" || node.children.some((child) => child.type === "element" && child.tagName === "a");
}

/** A text and that of a node. Stops when it is long, because a hostile page may nest elements around all its text. */
function firstText(node: Element, before: string): string {
  let text = before;
  for (const child of node.children) {
    if (text.length > CHARACTERS) break;
    if (child.type === "text") text += child.value;
    else if (child.type === "element" && !isDropped(child)) text = firstText(child, text);
  }
  return text;
}

/** What to write before a superscript; empty when it does not change a number. */
function markBefore(raised: string, before: string, after: RootContent[]): string {
  if (!/\d$/.test(before) || !/^[-−+]?\d/.test(raised)) return "";
  if (isDivided(after)) return " ";
  const isPrice = PRICE_END.test(before) || (AMOUNT_END.test(before) && isCurrency(after[0]));
  if (!isPrice || !/^\d\d$/.test(raised)) return "^";
  return /\.\d{3}$/.test(before) ? "," : ".";
}

/** Whether a slash and a subscript follow, which make a fraction of the superscript. */
function isDivided([slash, subscript]: RootContent[]): boolean {
  const isSlash = slash?.type === "text" && /^\s*[/⁄]\s*$/.test(slash.value);
  return isSlash && subscript?.type === "element" && subscript.tagName === "sub";
}

function isCurrency(after: RootContent | undefined): boolean {
  if (after?.type === "text") return CURRENCY.test(after.value);
  return after?.type === "element" && isInline(after) && CURRENCY.test(firstText(after, ""));
}

/** Text of one format. */
export interface TextRun {
  text: string;
  /** Whether it is raised or lowered. */
  place?: "sup" | "sub" | undefined;
}

/** The text of runs that follow each other in a paragraph, with superscripts apart from the numbers before them. */
export function runText(runs: TextRun[]): string {
  const children = runs.map(({ text, place }): Element | Text => {
    const value = textNode(text);
    return place === undefined ? value : { type: "element", tagName: place, properties: {}, children: [value] };
  });
  return codeText(withPlainSuperscripts({ type: "element", tagName: "p", properties: {}, children }));
}

function textNode(value: string): Text {
  return { type: "text", value };
}

import type { Block, ParsedDocument } from "./document.ts";
import { tidyLine } from "./document.ts";

const HEADING_CHARACTERS_MAX = 100;
/** The longest line of hard-wrapped prose is between these lengths. */
const WRAP_CHARACTERS_MIN = 45;
const WRAP_CHARACTERS_MAX = 120;

/**
 * Reads plain text: paragraphs between blank lines, lists by their bullets, and obvious headings: underlined, numbered,
 * in capitals, or a short first line.
 */
export function parseText(text: string): ParsedDocument {
  const paragraphs = text
    .replace(/\r\n?|\u2028/g, "\n")
    .replace(/\f|\u2029/g, "\n\n")
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => line.trimEnd())
        .filter((line) => line !== ""),
    )
    .filter((lines) => lines.length > 0);
  const [first, ...rest] = paragraphs;
  if (first?.length === 1 && rest.length > 0 && isHeading(first[0] ?? "")) {
    return { title: null, blocks: [headingOf(first[0] ?? "", 1), ...rest.flatMap(readParagraph)], metadata: {} };
  }
  return { title: null, blocks: paragraphs.flatMap(readParagraph), metadata: {} };
}

function readParagraph(lines: string[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (let heading = readHeading(lines, at); heading; heading = readHeading(lines, at)) {
    blocks.push(headingOf(lines[at] ?? "", heading.level));
    at += heading.lines;
  }
  return at === lines.length ? blocks : [...blocks, ...readBody(lines.slice(at))];
}

/** The level of the heading that starts at this line of a paragraph, and its number of lines; null when there is none. */
function readHeading(lines: string[], at: number): { level: number; lines: number } | null {
  const [first = "", second = ""] = lines.slice(at, at + 2);
  if (isUnderline(second) && isShort(first)) return { level: second.startsWith("=") ? 1 : 2, lines: 2 };
  const number = /^(\d+(?:\.\d+)*)\.?\s+\p{Lu}/u.exec(first)?.[1];
  const isLast = at === lines.length - 1;
  if (isLast && number !== undefined && isHeading(first)) return { level: number.split(".").length, lines: 1 };
  return isCapitals(first) ? { level: 2, lines: 1 } : null;
}

function readBody(lines: string[]): Block[] {
  const start = lines.findIndex(isItem);
  if (start === -1) return [{ kind: "paragraph", text: joinWrapped(lines) }];
  const before: Block[] = start === 0 ? [] : [{ kind: "paragraph", text: joinWrapped(lines.slice(0, start)) }];
  return [...before, { kind: "list", text: joinWrapped(lines.slice(start)) }];
}

function headingOf(line: string, level: number): Block {
  return { kind: "heading", level, text: tidyLine(line) };
}

function isHeading(line: string): boolean {
  return isShort(line) && !/[.:;,!?]$/.test(line) && !isItem(line.replace(/^[\d.]+/, ""));
}

/** At least three capital letters and no small ones, as in OPENING HOURS, but not a value such as a VAT number. */
function isCapitals(line: string): boolean {
  if (!isShort(line) || !/\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(line) || /\p{Ll}|[.,;]$/u.test(line)) return false;
  return !isLabelled(line) && !isMostlyNumber(line);
}

/** Whether a label has a value that is mostly a number, as in OPEN: 9-18, but not in PLAN: FIBRA 1000. */
function isLabelled(line: string): boolean {
  const [, value] = /^[^:]*:(.*)$/.exec(line) ?? [];
  if (value === undefined) return false;
  const digits = digitsOf(value).length;
  return digits >= 3 && digits * 2 >= value.replace(/\s/g, "").length;
}

/** Whether a third of the characters are digits, more than a product or a standard has, as in DSL 100 or ISO 27001. */
function isMostlyNumber(line: string): boolean {
  const digits = digitsOf(line).length;
  return digits >= 7 && digits * 3 >= line.replace(/\s/g, "").length;
}

/** The digits of a line without its years, as in PRICES 2024. */
function digitsOf(line: string): string {
  return line.replace(/\b(?:19|20)\d\d\b|\D/g, "");
}

function isUnderline(line: string): boolean {
  return /^(?:={3,}|-{3,}|~{3,})$/.test(line);
}

function isShort(line: string): boolean {
  return line.length <= HEADING_CHARACTERS_MAX && /\p{L}/u.test(line);
}

function isItem(line: string): boolean {
  return /^\s*(?:[-*•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/.test(line);
}

/** Joins hard-wrapped lines. A line that had room for the next word was ended on purpose and stays separate. */
function joinWrapped(lines: string[]): string {
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const isProse = width >= WRAP_CHARACTERS_MIN && width <= WRAP_CHARACTERS_MAX;
  return lines.reduce((text, line, index) => {
    const previous = lines[index - 1] ?? "";
    const word = line.trimStart().split(/\s/, 1)[0] ?? "";
    const wrapped = isProse && previous.length + 1 + word.length > width && !isItem(line);
    return index === 0 ? tidyLine(line) : `${text}${wrapped ? " " : "\n"}${tidyLine(line)}`;
  }, "");
}

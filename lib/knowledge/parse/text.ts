import type { Block, ParsedDocument } from "./document.ts";
import { tidyLine } from "./document.ts";

const HEADING_CHARACTERS_MAX = 100;
/** From this length on a line end is taken for a wrapped line, not for one that its author ended. */
const WRAPPED_FROM_CHARACTERS = 45;

/** Plain text: paragraphs between blank lines, lists by their bullets, headings when underlined or numbered. */
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
  return { title: null, blocks: paragraphs.flatMap(readParagraph), metadata: {} };
}

function readParagraph(lines: string[]): Block[] {
  const [first = "", second = "", ...rest] = lines;
  if (isUnderline(second) && isShort(first)) {
    const heading: Block = { kind: "heading", level: second.startsWith("=") ? 1 : 2, text: tidyLine(first) };
    return rest.length === 0 ? [heading] : [heading, ...readParagraph(rest)];
  }
  const number = /^(\d+(?:\.\d+)*)\.?\s+\p{Lu}/u.exec(first)?.[1];
  if (lines.length === 1 && number !== undefined && isShort(first) && !/[.:;,!?]$/.test(first)) {
    return [{ kind: "heading", level: number.split(".").length, text: tidyLine(first) }];
  }
  const start = lines.findIndex(isItem);
  if (start === -1) return [{ kind: "paragraph", text: joinWrapped(lines) }];
  const before: Block[] = start === 0 ? [] : [{ kind: "paragraph", text: joinWrapped(lines.slice(0, start)) }];
  return [...before, { kind: "list", text: joinWrapped(lines.slice(start)) }];
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

/** Joins hard-wrapped lines again and keeps the line ends that mean something: items, short lines. */
function joinWrapped(lines: string[]): string {
  return lines.reduce((text, line, index) => {
    const previous = lines[index - 1] ?? "";
    const wrapped = previous.length >= WRAPPED_FROM_CHARACTERS && !isItem(line);
    return index === 0 ? tidyLine(line) : `${text}${wrapped ? " " : "\n"}${tidyLine(line)}`;
  }, "");
}

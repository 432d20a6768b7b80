import type { Block } from "../document.ts";
import { splitHeader } from "../table.ts";
import { type Line, lineEnd } from "./lines.ts";
import { isItem, joinLines, joinText, measurePrint, type Print, startsParagraph, wordsWithin } from "./paragraphs.ts";
import { findTable } from "./tables.ts";

const HEADING_SIZE = 1.12;
const HEADING_LINES_MAX = 3;
const HEADING_CHARACTERS_MAX = 200;
const BOLD_HEADING_CHARACTERS_MAX = 120;
/** Below every heading that stands out by its size or by its tag. */
const BOLD_HEADING_LEVEL = 7;

/** Puts the lines of all pages together to headings, paragraphs, lists and tables. */
export function blocksFromLines(pages: Line[][]): Block[] {
  const lines = pages.flat();
  const print = measurePrint(lines);
  const words = wordsWithin(lines);
  const sizes = headingSizes(lines, print);
  const blocks: Block[] = [];
  for (const page of pages) {
    const right = page.reduce((most, line) => Math.max(most, lineEnd(line)), 0);
    for (const group of groupLines(page, right, print)) {
      const block = "rows" in group ? tableBlock(group) : textBlock(group.lines, right, print, sizes, words);
      addBlock(blocks, block, words);
    }
  }
  return blocks;
}

type Group = { lines: Line[] } | { rows: string[][]; page: number };

function groupLines(page: Line[], right: number, print: Print): Group[] {
  const groups: Group[] = [];
  let paragraph: Line[] = [];
  let index = 0;
  while (index < page.length) {
    const line = page[index];
    if (line === undefined) break;
    const table = findTable(page, index);
    if (table !== null) {
      groups.push({ rows: table.rows, page: line.page });
      paragraph = [];
      index += table.length;
      continue;
    }
    if (paragraph.length === 0 || startsParagraph(paragraph, line, right, print)) {
      paragraph = [];
      groups.push({ lines: paragraph });
    }
    paragraph.push(line);
    index++;
  }
  return groups;
}

function tableBlock({ rows, page }: { rows: string[][]; page: number }): Block {
  return { kind: "table", ...splitHeader(rows), page };
}

function textBlock(lines: Line[], right: number, print: Print, sizes: number[], words: Set<string>): Block {
  const page = lines[0]?.page;
  const text = joinLines(lines, right, words);
  const level = headingLevel(lines, text, print, sizes);
  if (level !== null) return { kind: "heading", level, text, page };
  return { kind: lines.some(isItem) ? "list" : "paragraph", text, page };
}

/** Items that follow one another become one list; a paragraph that the page's end cut in two becomes one again. */
function addBlock(blocks: Block[], block: Block, words: Set<string>): void {
  const last = blocks.at(-1);
  if (
    last === undefined ||
    last.kind === "table" ||
    last.kind === "heading" ||
    block.kind === "table" ||
    block.kind === "heading"
  ) {
    blocks.push(block);
  } else if (
    block.kind === "paragraph" &&
    block.page !== last.page &&
    /^\p{Ll}/u.test(block.text) &&
    !/[.!?:;]$/.test(last.text)
  ) {
    last.text = joinText(last.text, block.text, words);
  } else if (block.kind === "list" && last.kind === "list") {
    last.text = `${last.text}\n${block.text}`;
  } else {
    blocks.push(block);
  }
}

/** Font sizes above the body's, largest first, in half points: their order is the headings' order. */
function headingSizes(lines: Line[], print: Print): number[] {
  const sizes = lines.map(halfPoints).filter((size) => size > print.size * HEADING_SIZE);
  return [...new Set(sizes)].sort((a, b) => b - a);
}

/** By the tags of the PDF, else by a larger size, else by a bold line that stands alone. */
function headingLevel(lines: Line[], text: string, print: Print, sizes: number[]): number | null {
  const [first] = lines;
  if (first === undefined || !/\p{L}/u.test(text) || text.length > HEADING_CHARACTERS_MAX) return null;
  if (first.headingLevel !== null) return first.headingLevel;
  if (lines.length > HEADING_LINES_MAX) return null;
  const rank = sizes.indexOf(halfPoints(first));
  if (rank !== -1) return rank + 1;
  const bold = !print.bold && lines.every((line) => line.bold && line.segments.length === 1);
  return bold && text.length <= BOLD_HEADING_CHARACTERS_MAX && !/[.,;:]$/.test(text) ? BOLD_HEADING_LEVEL : null;
}

function halfPoints(line: Line): number {
  return Math.round(line.size * 2) / 2;
}

import type { Block } from "../document.ts";
import { splitHeader } from "../table.ts";
import { bandsFromBoxes, boxesFromRuns } from "./boxes.ts";
import {
  isItem,
  joinLines,
  joinText,
  type Line,
  linesOf,
  measurePrint,
  type Print,
  startsParagraph,
  wordsWithin,
} from "./paragraphs.ts";
import type { Run } from "./runs.ts";
import { findTable } from "./tables.ts";

const HEADING_SIZE = 1.12;
const HEADING_LINES_MAX = 3;
const HEADING_CHARACTERS_MAX = 200;
const BOLD_HEADING_CHARACTERS_MAX = 120;
/** Below every heading that is marked by its size or a tag. */
const BOLD_HEADING_LEVEL = 7;

/** Combines the runs of all pages into headings, paragraphs, lists and tables. */
export function blocksFromRuns(pages: Run[][]): Block[] {
  const runs = pages.flat();
  const print = measurePrint(runs);
  const words = wordsWithin(runs);
  const sizes = headingSizes(runs, print);
  const blocks: Block[] = [];
  for (const group of pages.flatMap((page) => groupPage(page, print))) {
    const block = "rows" in group ? tableBlock(group) : textBlock(group.lines, print, sizes, words);
    addBlock(blocks, block, words);
  }
  return blocks;
}

type Group = { lines: Line[] } | { rows: string[][]; page: number | undefined };

/** The tables and paragraphs of a page in reading order. */
function groupPage(page: Run[], print: Print): Group[] {
  const width = {
    x: page.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY),
    right: page.reduce((most, { right }) => Math.max(most, right), 0),
  };
  const bands = bandsFromBoxes(boxesFromRuns(page));
  const groups: Group[] = [];
  let paragraph: Line[] = [];
  for (let index = 0; index < bands.length; ) {
    const table = findTable(bands, index);
    if (table !== null) {
      groups.push({ rows: table.rows, page: page[0]?.page });
      paragraph = [];
      index += table.length;
      continue;
    }
    for (const line of (bands[index] ?? []).flatMap((box) => linesOf(box, width))) {
      if (startsParagraph(paragraph, line, print)) {
        paragraph = [];
        groups.push({ lines: paragraph });
      }
      paragraph.push(line);
    }
    index++;
  }
  return groups;
}

function tableBlock({ rows, page }: { rows: string[][]; page: number | undefined }): Block {
  return { kind: "table", ...splitHeader(rows), page };
}

function textBlock(lines: Line[], print: Print, sizes: number[], words: Set<string>): Block {
  const page = lines[0]?.page;
  const text = joinLines(lines, words);
  const level = headingLevel(lines, text, print, sizes);
  if (level !== null) return { kind: "heading", level, text, page };
  return { kind: lines.some(isItem) ? "list" : "paragraph", text, page };
}

/** Adds a block. Consecutive items of a page become one list, and a text that was split by a page break is joined. */
function addBlock(blocks: Block[], block: Block, words: Set<string>): void {
  const last = blocks.at(-1);
  if (last === undefined || !isFlowing(last) || !isFlowing(block)) {
    blocks.push(block);
    return;
  }
  const samePage = block.page === last.page;
  const cut = !samePage && /^\p{Ll}/u.test(block.text) && !/[.!?:;]$/.test(last.text);
  if (block.kind === "paragraph" && cut) last.text = joinText(last.text, block.text, words);
  else if (block.kind === "list" && last.kind === "list" && samePage) last.text = `${last.text}\n${block.text}`;
  else blocks.push(block);
}

function isFlowing(block: Block): block is Exclude<Block, { kind: "table" | "heading" }> {
  return block.kind === "paragraph" || block.kind === "list";
}

/** Font sizes larger than the body text, in half points, largest first. Their order gives the heading levels. */
function headingSizes(runs: Run[], print: Print): number[] {
  const sizes = runs.map(halfPoints).filter((size) => size > print.size * HEADING_SIZE);
  return [...new Set(sizes)].sort((a, b) => b - a);
}

/** The heading level: by the tags of the PDF, otherwise by a larger size, otherwise by a single bold line; null for other text. */
function headingLevel(lines: Line[], text: string, print: Print, sizes: number[]): number | null {
  const [first] = lines;
  if (first === undefined || !/\p{L}/u.test(text) || text.length > HEADING_CHARACTERS_MAX) return null;
  if (first.headingLevel !== null) return first.headingLevel;
  if (lines.length > HEADING_LINES_MAX) return null;
  const rank = sizes.indexOf(halfPoints(first));
  if (rank !== -1) return rank + 1;
  const bold = !print.bold && lines.every((line) => line.bold);
  return bold && text.length <= BOLD_HEADING_CHARACTERS_MAX && !/[.,;:]$/.test(text) ? BOLD_HEADING_LEVEL : null;
}

function halfPoints({ size }: Run): number {
  return Math.round(size * 2) / 2;
}

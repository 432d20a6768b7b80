import type { Block } from "../parse/document.ts";

/** The text under one heading. `headings` is the path to it below the document's title, highest first. */
interface Section {
  headings: string[];
  blocks: Block[];
}

/** A longer heading is treated as text, because every chunk below would repeat it. */
const HEADING_LENGTH_MAX = 300;

interface OpenHeading {
  level: number;
  text: string;
  page: number | undefined;
  /** True once the heading has text below it. */
  used: boolean;
}

/** Splits a document at its headings. A heading with nothing below it becomes text, so that it is not lost. */
export function sectionsOf(blocks: Block[], title: string): Section[] {
  const sections: (Section & { bare: boolean })[] = [];
  const open: OpenHeading[] = [];

  function path(): string[] {
    const texts = open.map(({ text }) => text);
    return texts[0]?.toLowerCase() === title.toLowerCase() ? texts.slice(1) : texts;
  }

  function add(block: Block, bare: boolean): void {
    const last = sections.at(-1);
    const headings = path();
    const same = last?.bare === bare && last.headings.join("\n") === headings.join("\n");
    if (same) last.blocks.push(block);
    else sections.push({ headings, blocks: [block], bare });
    for (const heading of open) heading.used = true;
  }

  function close(level: number): void {
    while ((open.at(-1)?.level ?? 0) >= level) {
      const heading = open.pop();
      if (heading?.used === false) add({ kind: "paragraph", text: heading.text, page: heading.page }, true);
    }
  }

  for (const block of blocks) {
    if (block.kind !== "heading") {
      add(block, false);
      continue;
    }
    if (block.text.length > HEADING_LENGTH_MAX) {
      add({ kind: "paragraph", text: block.text, page: block.page }, false);
      continue;
    }
    close(block.level);
    open.push({ level: block.level, text: block.text, page: block.page, used: false });
  }
  close(1);
  return sections.map(({ headings, blocks: own }) => ({ headings, blocks: own }));
}

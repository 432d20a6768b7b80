import { describe, expect, test } from "vitest";
import { countTokens, prose } from "../../testing/chunking.ts";
import { fc } from "../../testing/property.ts";
import type { Block, ParsedDocument } from "../parse/document.ts";
import { type Chunk, chunkDocument } from "./chunk.ts";

const limits = { maxTokens: 256, countTokens };

function documentOf(blocks: Block[]): ParsedDocument {
  return { title: null, blocks, metadata: {} };
}

function chunk(blocks: Block[], title = "Guide"): Chunk[] {
  return [...chunkDocument(documentOf(blocks), { title, ...limits })];
}

function paragraph(text: string, page?: number): Block {
  return { kind: "paragraph", text, page };
}

function heading(level: number, text: string): Block {
  return { kind: "heading", level, text };
}

describe("chunkDocument", () => {
  test("an empty document has no chunks", () => {
    expect(chunk([])).toEqual([]);
  });

  test("merges small neighbours under one heading and starts a new chunk at the next heading", () => {
    const chunks = chunk([
      heading(1, "Guide"),
      paragraph("Welcome.", 1),
      paragraph("Read on.", 2),
      heading(2, "Setup"),
      heading(3, "Router"),
      paragraph("Plug it in.", 3),
      heading(2, "Help"),
      paragraph("Call us.", 4),
    ]);
    expect(chunks).toEqual([
      { content: "Welcome.\n\nRead on.", headings: [], page: 1, embeddingText: "Guide\nWelcome.\n\nRead on." },
      {
        content: "Plug it in.",
        headings: ["Setup", "Router"],
        page: 3,
        embeddingText: "Guide > Setup > Router\nPlug it in.",
      },
      { content: "Call us.", headings: ["Help"], page: 4, embeddingText: "Guide > Help\nCall us." },
    ]);
  });

  test("a heading without text becomes text, and a heading with a deeper heading becomes part of the path", () => {
    const chunks = chunk([
      heading(1, "One"),
      heading(1, "Two"),
      heading(2, "Three"),
      heading(1, "Four"),
      paragraph("Text"),
    ]);
    expect(chunks.map(({ headings, content }) => [headings, content])).toEqual([
      [[], "One"],
      [["Two"], "Three"],
      [["Four"], "Text"],
    ]);
  });

  test("keeps paragraphs whole when possible and cuts long ones between sentences", () => {
    const whole = [prose("a", 70), prose("b", 70), prose("c", 70)];
    const chunks = chunk([...whole.map((text) => paragraph(text)), heading(1, "Long"), paragraph(prose("d", 600))]);
    for (const text of whole) expect(chunks.filter(({ content }) => content.includes(text))).toHaveLength(1);
    const long = chunks.filter(({ headings }) => headings[0] === "Long");
    expect(long.length).toBeGreaterThan(3);
    for (const { content } of long) expect(content).toMatch(/\.$/);
  });

  test("a list that goes on after a page break stays one list with its introduction", () => {
    const list = (from: number, to: number, page: number): Block => ({
      kind: "list",
      text: Array.from({ length: to - from }, (_, index) => `- ${prose("word", 12)} ${from + index}.`).join("\n"),
      page,
    });
    const short = chunk([paragraph("The customer must:", 1), list(1, 3, 1), list(3, 5, 2)]);
    expect(short).toHaveLength(1);
    expect(short[0]?.content.split("\n\n")).toHaveLength(2);

    const chunks = chunk([paragraph("The customer must:", 1), list(1, 60, 1), list(60, 120, 2)]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { content } of chunks) expect(content).toMatch(/^The customer must:/);
    expect(chunks.at(-1)?.page).toBe(2);
  });

  test("a list keeps its introduction, and every further part repeats it", () => {
    const items = Array.from({ length: 30 }, (_, index) => `- item ${index} is one of the things named here`);
    const chunks = chunk([paragraph("Not covered are:"), { kind: "list", text: items.join("\n") }]);
    expect(chunks.length).toBeGreaterThan(1);
    for (const { content } of chunks) expect(content).toMatch(/^Not covered are:\n+- item/);
  });

  test("every table row names the columns of its values", () => {
    const [only] = chunk([
      {
        kind: "table",
        header: ["Plan", "Price", ""],
        rows: [
          ["Basic", "10 €", "x"],
          ["Pro", "", "y"],
        ],
      },
      {
        kind: "table",
        header: [],
        rows: [
          ["Support", "4180"],
          ["Sales", ""],
        ],
      },
      { kind: "table", header: ["Only", "names"], rows: [] },
    ]);
    expect(only?.content).toBe("Plan: Basic; Price: 10 €; x\nPlan: Pro; y\n\nSupport: 4180\nSales\n\nOnly; names");
  });

  test("limits long titles and paths to leave room for the content", () => {
    const deep = Array.from({ length: 6 }, (_, index) => heading(index + 1, prose(`heading${index}`, 12)));
    const chunks = chunk([...deep, paragraph(prose("text", 300))], prose("title", 60));
    for (const { embeddingText, content, headings } of chunks) {
      expect(countTokens(embeddingText)).toBeLessThanOrEqual(256);
      expect(countTokens(embeddingText) - countTokens(content)).toBeLessThanOrEqual(44);
      expect(headings).toHaveLength(6);
    }
  });

  test("adds no spaces between sentences that have none", () => {
    const sentence = "東京の夏はとても暑いです。";
    const chunks = chunk([paragraph(sentence.repeat(60))]);
    expect(chunks.map(({ content }) => content).join("")).toBe(sentence.repeat(60));
  });

  test("a larger model window does not make larger chunks", () => {
    const wide = { title: "T", maxTokens: 8_191, countTokens };
    const chunks = [...chunkDocument(documentOf([paragraph(prose("a", 2_000))]), wide)];
    for (const { content } of chunks) expect(countTokens(content)).toBeLessThanOrEqual(202);
  });
});

describe("stability under edits", () => {
  const blocks = (change: (index: number, text: string) => string): Block[] =>
    Array.from({ length: 240 }, (_, index) => {
      if (index % 80 === 0) return heading(1, `Part ${index / 80}`);
      return paragraph(change(index, prose(`p${index}w`, 20 + ((index * 37) % 60))));
    });
  const before = chunk(blocks((_, text) => text));

  function sharedWith(after: Chunk[]): number {
    const texts = new Set(after.map(({ embeddingText }) => embeddingText));
    return before.filter(({ embeddingText }) => texts.has(embeddingText)).length / before.length;
  }

  test.each([3, 41, 79, 119, 200])("editing paragraph %i changes only its own chunk and a few next to it", (edited) => {
    const after = chunk(blocks((index, text) => (index === edited ? `Edited. ${text}` : text)));
    expect(sharedWith(after)).toBeGreaterThanOrEqual(0.9);
    expect(sharedWith(after)).toBeLessThan(1);
  });

  test.each([0, 1, 40])("a new paragraph at position %i changes only its own chunk and a few next to it", (place) => {
    const same = blocks((_, text) => text);
    expect(sharedWith(chunk(same.toSpliced(place, 0, paragraph(prose("new", 45)))))).toBeGreaterThanOrEqual(0.9);
  });

  test.each([
    ["with sentences", "."],
    ["without any punctuation", ""],
  ])("an edit in a long paragraph %s does not change all of its chunks", (_, end) => {
    const text = Array.from(
      { length: 400 },
      (_, index) => `Sentence ${prose(`s${index}w`, 8 + (index % 9)).slice(0, -1)}${end}`,
    );
    const long = (sentences: string[]) => chunk([paragraph(sentences.join(" "))]);
    const old = new Set(long(text).map(({ content }) => content));
    const edited = long(text.with(5, "A new sentence, quite unlike the old one, stands here."));
    expect(edited.filter(({ content }) => old.has(content)).length / edited.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe("for any document", () => {
  const word = fc.oneof(
    { weight: 12, arbitrary: fc.stringMatching(/^[a-z]{1,12}[.,;:!?]?$/) },
    { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: 20, unit: "binary" }) },
    { weight: 1, arbitrary: fc.constant("x".repeat(3_000)) },
    { weight: 1, arbitrary: fc.constant("漢字かな交じり文".repeat(60)) },
  );
  const text = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(" "));
  const lines = fc.array(text, { minLength: 1, maxLength: 5 }).map((each) => each.join("\n"));
  const block: fc.Arbitrary<Block> = fc.oneof(
    fc.record({ kind: fc.constant("heading" as const), level: fc.integer({ min: 1, max: 7 }), text }),
    fc.record({ kind: fc.constantFrom("paragraph" as const, "list" as const, "code" as const), text: lines }),
    fc.record({
      kind: fc.constant("table" as const),
      header: fc.array(text, { maxLength: 3 }),
      rows: fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    }),
  );

  test("loses no text, and every chunk fits the window", () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 12 }),
        text,
        fc.integer({ min: 40, max: 512 }),
        (blocks, title, maxTokens) => {
          const chunks = [...chunkDocument(documentOf(blocks), { title, maxTokens, countTokens })];
          for (const { embeddingText } of chunks) expect(countTokens(embeddingText)).toBeLessThanOrEqual(maxTokens);
          const headings = chunks.map((each) => each.headings.join("")).join("");
          const kept = squeeze(chunks.map(({ content }) => content).join("") + headings + title);
          for (const each of wordsOf(blocks)) if (!kept.includes(each)) expect.unreachable(`lost: ${each}`);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("the same document gives the same chunks", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        expect(chunk(blocks)).toEqual(chunk(structuredClone(blocks)));
      }),
      { numRuns: 20 },
    );
  });

  function squeeze(value: string): string {
    return value.replace(/\s+/g, "");
  }

  /** Words that are short enough to stay whole. */
  function wordsOf(blocks: Block[]): string[] {
    const texts = blocks.flatMap((each) => (each.kind === "table" ? each.rows.flat() : [each.text]));
    return texts.flatMap((each) => each.split(/\s+/)).filter((each) => each.length > 0 && each.length <= 20);
  }
});

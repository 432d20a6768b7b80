import { describe, expect, test } from "vitest";
import { detectLanguage, type Language } from "../language/language.ts";
import { contentWords } from "../language/tokens.ts";
import { type AnalyzedChunk, analyzeChunk, analyzeQuery } from "./analyze.ts";
import { type LexicalBlock, neededTerms, scoreLexical } from "./bm25.ts";
import { blockOf, buildPostings, clearLive, emptyLive, SLOTS_PER_BLOCK, setLive, slotOf } from "./postings.ts";

type Chunk = { ordinal: number; text: string; title?: string; language?: Language | null; dead?: boolean };

/** Indexes the chunks as the database would and scores one question. */
function search(chunks: Chunk[], question: string) {
  const analyzed = chunks.map(({ text, title = "", language = "en", ...chunk }) => ({
    ...chunk,
    language,
    analyzed: analyzeChunk(text, title, language),
  }));
  const blocks = [...Map.groupBy(analyzed, ({ ordinal }) => blockOf(ordinal))].map(([block, members]) =>
    blockRow(block, members[0]?.language ?? null, members),
  );
  const language = detectLanguage(question);
  const query = analyzeQuery(
    { words: contentWords(question, language), language },
    new Set(blocks.map((block) => block.language)),
  );
  const wanted = new Set(neededTerms(query));
  const lists = analyzed.flatMap((chunk) => buildPostings([chunk])).filter(({ term }) => wanted.has(term));
  return scoreLexical(blocks, lists, query);
}

function blockRow(
  block: number,
  language: Language | null,
  members: { ordinal: number; analyzed: AnalyzedChunk; dead?: boolean }[],
): LexicalBlock {
  const row = { block, language, live: emptyLive(), liveCount: 0, wordTotal: 0, gramTotal: 0 };
  for (const { ordinal, analyzed, dead } of members) {
    setLive(row.live, slotOf(ordinal));
    if (dead) {
      clearLive(row.live, slotOf(ordinal));
      continue;
    }
    row.liveCount += 1;
    row.wordTotal += analyzed.wordLength;
    row.gramTotal += analyzed.gramLength;
  }
  return row;
}

const fees: Chunk[] = [
  { ordinal: 0, text: "A transfer abroad costs a fee of two euros." },
  { ordinal: 1, text: "The card arrives within five working days." },
  { ordinal: 2, text: "Card payments are free of charge." },
];

const later = (chunk: Chunk): Chunk => ({ ...chunk, ordinal: chunk.ordinal + 10 });

describe("scoreLexical", () => {
  test("matches BM25 computed by hand: one term, one chunk, same score in both parts", () => {
    const chunks = [
      { ordinal: 0, text: "aaa" },
      { ordinal: 1, text: "bbb" },
    ];
    const norm = 0.9 * (1 - 0.6 + 0.6);
    const grams = 1 / (1 + norm);
    expect(search(chunks, "aaa").score(0)).toBeCloseTo(0.5 / (1 + norm) + 0.5 * grams, 12);
    expect(search(chunks, "aaa").score(1)).toBe(0);
  });

  test("divides by the idf of all terms, so unknown words lower the score", () => {
    expect(search(fees, "card zzzzz").score(1)).toBeLessThan(search(fees, "card").score(1) / 1.5);
  });

  test("relies on grams where the words are unknown: a misspelt word still finds its chunk", () => {
    const scores = search(fees, "tranfser abraod");
    expect(scores.top(1)).toEqual([0]);
    expect(scores.score(0)).toBeGreaterThan(scores.score(1) * 2);
  });

  test("function words of a question in another language do not lower the score of shared words", () => {
    const names: Chunk[] = [{ ordinal: 0, text: "Kawann Short led the Panthers." }, ...fees.map(later)];
    const bare = search(names, "Panthers");
    expect(search(names, "¿Quiénes son los que están en los Panthers?").score(0)).toBeCloseTo(bare.score(0), 12);
  });

  test("ranks the rarer word first", () => {
    expect(search(fees, "fee for the card").top(3)[0]).toBe(0);
  });

  test("stays below 1 and is never NaN, for empty and stop-word questions too", () => {
    const fee = search([{ ordinal: 0, text: "fee ".repeat(1000), title: "fee" }], "fee fee fee");
    expect(fee.score(0)).toBeGreaterThan(0.9);
    expect(fee.score(0)).toBeLessThan(1);
    for (const question of ["", "what is it", "???"]) {
      expect(search(fees, question).top(10)).toEqual([]);
      expect(search(fees, question).score(0)).toBe(0);
    }
    expect(search([], "fee").top(10)).toEqual([]);
  });

  test("a superseded chunk is not ranked and does not change any score", () => {
    const dead = fees.concat({ ordinal: 3, text: "Card card fee fee, an old version.", dead: true });
    const before = search(fees, "fee for a card");
    const after = search(dead, "fee for a card");
    expect(after.score(3)).toBe(0);
    expect(after.top(10)).toEqual(before.top(10));
    for (const { ordinal } of fees) expect(after.score(ordinal)).toBe(before.score(ordinal));
  });

  test("each language has its own index", () => {
    const italian: Chunk = { ordinal: SLOTS_PER_BLOCK, text: "La carta arriva in cinque giorni.", language: "it" };
    const alone = search(fees, "card fee");
    const both = search([...fees, italian], "card fee");
    for (const { ordinal } of fees) expect(both.score(ordinal)).toBe(alone.score(ordinal));
    expect(search([...fees, italian], "le carte").top(1)).toEqual([italian.ordinal]);
  });
});

describe("top", () => {
  const many: Chunk[] = Array.from({ length: 60 }, (_, i) => ({
    ordinal: i * 200,
    text: `fee ${"word ".repeat(i % 7)}${i % 3 === 0 ? "fee" : ""}`,
  }));

  test("sorts by descending score, then by ordinal, over all blocks", () => {
    const scores = search(many, "fee");
    const ranked = scores.top(1000);
    expect(ranked.toSorted((a, b) => a - b)).toEqual(many.map(({ ordinal }) => ordinal));
    const expected = ranked.toSorted((a, b) => scores.score(b) - scores.score(a) || a - b);
    expect(ranked).toEqual(expected);
  });

  test("pages of any size add up to the same ranking", () => {
    const scores = search(many, "fee");
    const whole = scores.top(60);
    const pages = [0, 7, 14, 21, 28, 35, 42, 49, 56].flatMap((offset) => scores.top(7, offset));
    expect(pages).toEqual(whole);
    expect(scores.top(10, 1000)).toEqual([]);
  });
});

describe("scoreLexical in another language", () => {
  const rules: Chunk[] = [
    { ordinal: 0, text: "Il rimborso arriva entro dieci giorni dalla richiesta.", language: "it" },
    { ordinal: 1, text: "La tessera arriva per posta con il primo contratto.", language: "it" },
  ];

  test("finds the translations of words", () => {
    const scores = search(rules, "When do I get the refund that I asked for?");
    expect(scores.top(10)[0]).toBe(0);
    expect(scores.score(0)).toBeGreaterThan(0.3);
  });

  test("scores several translations in one chunk as one word that occurs more often", () => {
    const one = search([{ ordinal: 0, text: "bolletta bolletta", language: "it" }], "the invoices that you sent to us");
    const two = search([{ ordinal: 0, text: "fattura bolletta", language: "it" }], "the invoices that you sent to us");
    expect(one.score(0)).toBeGreaterThan(0);
    expect(two.score(0)).toBeCloseTo(one.score(0), 1);
  });
});

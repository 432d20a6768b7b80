import { describe, expect, test } from "vitest";
import type { Language } from "../ai/language.ts";
import { analyzeChunk, analyzeQuery, contentWords, gramTokens, stemTokens } from "./analyze.ts";

function overlap(chunk: string, question: string, language: Language) {
  const { words, grams } = analyzeChunk(chunk, "", language);
  const query = analyzeQuery(question, language, [language]).get(language) ?? { words: new Map(), grams: new Map() };
  return {
    words: [...query.words.keys()].filter((term) => words.has(term)).length / query.words.size,
    grams: [...query.grams.keys()].filter((term) => grams.has(term)).length / query.grams.size,
  };
}

describe("contentWords", () => {
  test("lower-cases, joins width and composition variants, drops possessives and stop words", () => {
    expect(contentWords("How do I reset the CUSTOMER’s ＰＩＮ?", "en")).toEqual(["reset", "customer", "pin"]);
    expect(contentWords("cafe\u0301", null)).toEqual(["café"]);
  });

  test("parts an elided article from its noun", () => {
    expect(contentWords("Quando scade l'abbonamento?", "it")).toEqual(["scade", "abbonamento"]);
    expect(contentWords("résilier l’abonnement", "fr")).toEqual(["résilier", "abonnement"]);
  });

  test("stops nothing in an unknown language, and keeps codes and vowel signs", () => {
    expect(contentWords("the SKU AB-1234", null)).toEqual(["the", "sku", "ab", "1234"]);
    expect(contentWords("हिन्दी भाषा", null)).toEqual(["हिन्दी", "भाषा"]);
  });
});

describe("tokens", () => {
  test("words are stemmed by the language of the index", () => {
    expect(stemTokens("abbonamenti", "it")).toEqual(stemTokens("abbonamento", "it"));
    expect(stemTokens("cancellations", "en")).toEqual(stemTokens("cancellation", "en"));
    expect(stemTokens("abbonamenti", null)).toEqual(["abbonamenti"]);
  });

  test("grams are overlapping fours of the word between underscores, without accents", () => {
    expect(gramTokens("tasse")).toEqual(["_tas", "tass", "asse", "sse_"]);
    expect(gramTokens("über")).toEqual(gramTokens("uber"));
    expect(gramTokens("ab")).toEqual(["_ab_"]);
  });

  test("scripts without spaces are cut into character pairs", () => {
    expect(stemTokens("密码重置", null)).toEqual(["密码", "码重", "重置"]);
    expect(stemTokens("iphoneを", null)).toEqual(["iphone", "を"]);
    expect(gramTokens("密码")).toEqual(["密", "码"]);
    expect(stemTokens("รหัส", null)).toEqual(["รห", "หั", "ัส"]);
  });
});

describe("analyzeChunk", () => {
  test("counts title terms twice, in the lengths too", () => {
    const plain = analyzeChunk("refund window", "", "en");
    const titled = analyzeChunk("window", "refund", "en");
    expect([...plain.words.values()]).toEqual([1, 1]);
    expect([...titled.words.values()]).toEqual([2, 1]);
    expect(titled.wordLength).toBe(3);
    expect(titled.gramLength).toBe(plain.gramLength + gramTokens("refund").length);
  });

  test("the two parts and the languages never share a term", () => {
    const english = analyzeChunk("taxi data", "", "en");
    const italian = analyzeChunk("taxi data", "", "it");
    const terms = [english, italian].flatMap(({ words, grams }) => [...words.keys(), ...grams.keys()]);
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms.every((term) => Number.isInteger(term) && term === (term | 0))).toBe(true);
  });

  test.each([
    ["a typo", "Your subscription ends today", "subscripton", "en"],
    ["a compound", "Die Kündigung der Versicherung", "Versicherungskündigung", "de"],
    ["missing accents", "La devolución del envío", "devolucion envio", "es"],
  ] as const)("grams bridge %s, where words do not match", (_, chunk, question, language) => {
    expect(overlap(chunk, question, language).words).toBeLessThan(1);
    expect(overlap(chunk, question, language).grams).toBeGreaterThan(0.5);
  });
});

describe("analyzeQuery", () => {
  test("cuts the question once for each index, as that index cuts its chunks", () => {
    const query = analyzeQuery("annullare gli abbonamenti", "it", ["it", "en", null]);
    expect([...query.keys()]).toEqual(["it", "en", null]);
    for (const [language, { words }] of query) {
      const stems = [...analyzeChunk("annullare abbonamenti", "", language).words.keys()];
      expect([...words.keys()]).toEqual(stems);
    }
  });
});

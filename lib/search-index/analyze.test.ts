import { describe, expect, test } from "vitest";
import { LANGUAGES, type Language } from "../language/language.ts";
import { contentWords, gramTokens, stemTokens } from "../language/tokens.ts";
import { analyzeChunk, analyzeQuery } from "./analyze.ts";

function overlap(chunk: string, question: string, language: Language) {
  const { words, grams } = analyzeChunk(chunk, "", language);
  const query = analyzeQuery({ words: contentWords(question, language), language }, [language]).get(language);
  const shareIn = (terms: ReadonlyMap<number, number>, asked: number[] = []) =>
    asked.filter((term) => terms.has(term)).length / asked.length;
  return { words: shareIn(words, query?.words.flat()), grams: shareIn(grams, query?.grams.flat()) };
}

describe("contentWords", () => {
  test("lower-cases, normalises width and composition, drops possessives and stop words", () => {
    expect(contentWords("How do I reset the CUSTOMER’s ＰＩＮ?", "en")).toEqual(["reset", "customer", "pin"]);
    expect(contentWords("cafe\u0301", null)).toEqual(["café"]);
  });

  test("separates an elided article from its noun", () => {
    expect(contentWords("Quando scade l'abbonamento?", "it")).toEqual(["scade", "abbonamento"]);
    expect(contentWords("résilier l’abonnement", "fr")).toEqual(["résilier", "abonnement"]);
  });

  test("drops no stop words in an unknown language, and keeps codes and vowel signs", () => {
    expect(contentWords("the SKU AB-1234", null)).toEqual(["the", "sku", "ab", "1234"]);
    expect(contentWords("हिन्दी भाषा", null)).toEqual(["हिन्दी", "भाषा"]);
  });

  test("reads superscripts and fractions after a digit as words of their own", () => {
    expect(contentWords("49¹ € for 30²³ days, 1½ hours", "en")).toEqual([
      "49",
      "1",
      "30",
      "23",
      "days",
      "1",
      "1",
      "2",
      "hours",
    ]);
    expect(contentWords("25 m²", "en")).toEqual(["25", "m2"]);
  });

  test("reads no variation selector as a word or a part of one", () => {
    expect(contentWords("Router offline ⚠️ 5️⃣ 葛󠄀城市", "en")).toEqual(["router", "offline", "5", "葛城市"]);
  });
});

describe("tokens", () => {
  test("words are stemmed in the language of the index", () => {
    expect(stemTokens("abbonamenti", "it")).toEqual(stemTokens("abbonamento", "it"));
    expect(stemTokens("cancellations", "en")).toEqual(stemTokens("cancellation", "en"));
    expect(stemTokens("abbonamenti", null)).toEqual(["abbonamenti"]);
  });

  test("grams are the overlapping 4-grams of the word between underscores, without accents", () => {
    expect(gramTokens("tasse")).toEqual(["_tas", "tass", "asse", "sse_"]);
    expect(gramTokens("über")).toEqual(gramTokens("uber"));
    expect(gramTokens("ab")).toEqual(["_ab_"]);
  });

  test("scripts without spaces are split into character pairs", () => {
    expect(stemTokens("密码重置", null)).toEqual(["密码", "码重", "重置"]);
    expect(stemTokens("iphoneを", null)).toEqual(["iphone", "を"]);
    expect(gramTokens("密码")).toEqual(["密", "码"]);
    expect(stemTokens("รหัส", null)).toEqual(["รห", "หั", "ัส"]);
  });
});

describe("analyzeChunk", () => {
  test("counts title terms twice, including in the lengths", () => {
    const plain = analyzeChunk("refund window", "", "en");
    const titled = analyzeChunk("window", "refund", "en");
    expect([...plain.words.values()]).toEqual([1, 1]);
    expect([...titled.words.values()]).toEqual([2, 1]);
    expect(titled.wordLength).toBe(3);
    expect(titled.gramLength).toBe(plain.gramLength + gramTokens("refund").length);
  });

  test("words and grams never share a term, nor do two languages", () => {
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
  ] as const)("grams match across %s where words do not", (_, chunk, question, language) => {
    expect(overlap(chunk, question, language).words).toBeLessThan(1);
    expect(overlap(chunk, question, language).grams).toBeGreaterThan(0.5);
  });
});

describe("odd text", () => {
  const marks = "\u0301".repeat(8_000);

  test("a letter keeps at most 30 marks, more than any language uses", () => {
    expect(contentWords(`a${marks}`, null)).toEqual([`\u00E1${"\u0301".repeat(29)}`]);
    expect(gramTokens(`a${"\u0301".repeat(30)}`)).toEqual(["_a_"]);
  });

  test.each([
    ["endless marks", `a${marks}`],
    ["a word too long for the stemmer", `${"donaudampfschifffahrtsgesellschaft".repeat(9)}en`],
    ["a run of marks that change their order", "a\u0315\u0323\u0301\uFF9E\u0301\u0323 İ\u0323stanbul"],
  ])("a chunk and a question read %s alike", (_, text) => {
    for (const language of ["en", "de", null] as const) {
      const chunk = analyzeChunk(text, "", language);
      const query = analyzeQuery({ words: contentWords(text, language), language }, ["en", "de", null]).get(language);
      expect(new Set(query?.words.flat())).toEqual(new Set(chunk.words.keys()));
      expect(new Set(query?.grams.flat())).toEqual(new Set(chunk.grams.keys()));
    }
  });

  test("caps the terms of a question over all languages and prefers the longest words", () => {
    const words = Array.from({ length: 1_300 }, (_, i) => `w${i.toString(36)}`);
    const query = analyzeQuery({ words: [...words, "kontoauszugsdrucker"], language: null }, LANGUAGES);
    const terms = [...query.values()].flatMap(({ words, grams }) => [...words, ...grams].flat());
    expect(terms.length).toBeLessThanOrEqual(12_288 + LANGUAGES.length);
    for (const [language, { words }] of query) {
      expect(words.flat()).toContain([...analyzeChunk("Kontoauszugsdrucker", "", language).words.keys()][0]);
    }
  });
});

test("the terms of ordinary text never change, so existing indexes stay searchable", () => {
  const text =
    "The customer’s invoices from Zürich, cafe\u0301 and ＡＢ-1234. Kündigungsfristen? L’abonnement; ¿devolución? Ἀθῆναι, Москва, 密码重置, รหัสผ่าน, हिन्दी, 가입.";
  const sums = [...LANGUAGES, null].map((language) => {
    const { words, grams, wordLength, gramLength } = analyzeChunk(text, "Títulos", language);
    const sum = [...words, ...grams].reduce((total, [term, count]) => (total + Math.imul(term, count)) | 0, 0);
    return `${language} ${wordLength} ${gramLength} ${sum}`;
  });
  expect(sums).toMatchInlineSnapshot(`
    [
      "en 26 101 1936600437",
      "it 28 107 1800457338",
      "es 29 108 142255545",
      "de 29 108 1542826097",
      "fr 28 107 19523519",
      "pt 29 108 -152452192",
      "nl 29 108 341798626",
      "null 29 108 2060286488",
    ]
  `);
});

describe("analyzeQuery", () => {
  test("analyses the question for each index in the way that index analyses its chunks", () => {
    const words = contentWords("annullare gli abbonamenti", "it");
    const query = analyzeQuery({ words, language: null }, ["it", "en", null]);
    expect([...query.keys()]).toEqual(["it", "en", null]);
    for (const [language, { words }] of query) {
      const stems = [...analyzeChunk("annullare abbonamenti", "", language).words.keys()];
      expect(words.flat()).toEqual(stems);
    }
  });
});

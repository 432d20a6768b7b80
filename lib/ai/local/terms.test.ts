import { expect, it } from "vitest";
import { fc } from "../../testing/property.ts";
import { termMatcher, termsOf } from "./terms.ts";

it("reduces words to stems, without accents, hyphens after short parts and function words", () => {
  expect([...termsOf("What's the Wi-Fi password of my routers?", "en")]).toEqual(["wifi", "password", "router"]);
  expect(termsOf("¿Cuál es la velocidad máxima?", "es")).toEqual(termsOf("velocidad maxima", "es"));
});

it("keeps function words when a text has no others", () => {
  expect(termsOf("Who are you?", "en").size).toBe(3);
});

it("finds a word inside a longer one, unless the word is short", () => {
  const held = (asked: string, ...terms: string[]) => termMatcher(new Set([asked]))(new Set(terms)).get(asked) ?? 0;
  expect(held("phone", "telephone")).toBe(0.5);
  expect(held("vertragslaufzeit", "laufzeit")).toBe(0.5);
  expect(held("phone", "phone", "telephone")).toBe(1);
  expect(held("phone", "telephone", "phone")).toBe(1);
  expect(held("port", "transport")).toBe(0);
});

it("finds 16 of a thousand longer words that begin with the same word", () => {
  const asked = new Set(Array.from({ length: 1_000 }, (_, index) => `contract${index}`));
  expect(termMatcher(asked)(new Set(["contract"])).size).toBe(16);
});

it("finds the same as comparing every pair", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "ü"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 8 }), fc.uniqueArray(word, { maxLength: 8 }), (asked, terms) => {
      const held = termMatcher(new Set(asked))(new Set(terms));
      for (const term of asked) {
        const pairs = terms.map((other) => {
          const [short = "", long = ""] = [other, term].sort((a, b) => a.length - b.length);
          return short.length >= 5 && short.length < long.length && (long.startsWith(short) || long.endsWith(short));
        });
        expect(held.get(term) ?? 0).toBe(terms.includes(term) ? 1 : pairs.includes(true) ? 0.5 : 0);
      }
    }),
  );
});

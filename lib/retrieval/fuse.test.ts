import { describe, expect, test } from "vitest";
import type { Language } from "../language/language.ts";
import { fc } from "../testing/property.ts";
import { fuse, fusionWeight, scoreWeights } from "./fuse.ts";

const both = (vector: number) => ({ vector, lexical: 1 - vector });
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe("fuse", () => {
  test("is within 0 and 1 for anything that the two searches can give", () => {
    const cosine = fc.double({ min: -1.0001, max: 1.0001, noNaN: true });
    fc.assert(
      fc.property(cosine, unit, unit, (cosine, lexical, weight) => {
        const score = fuse({ cosine, lexical }, both(weight));
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("never falls when either score rises", () => {
    fc.assert(
      fc.property(unit, unit, unit, unit, unit, (cosine, lexical, weight, moreCosine, moreLexical) => {
        const score = fuse({ cosine, lexical }, both(weight));
        expect(fuse({ cosine: Math.max(cosine, moreCosine), lexical }, both(weight))).toBeGreaterThanOrEqual(score);
        expect(fuse({ cosine, lexical: Math.max(lexical, moreLexical) }, both(weight))).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  test("is the cosine alone at weight 1 and the keyword curve alone at weight 0", () => {
    expect(fuse({ cosine: 0.6, lexical: 0.9 }, both(1))).toBe(0.6);
    expect(fuse({ cosine: 0.6, lexical: 0.5 }, both(0))).toBeCloseTo(0.826, 3);
    expect(fuse({ cosine: -0.2, lexical: 0 }, both(0.5))).toBe(0);
  });
});

describe("fusionWeight", () => {
  const weight = (queryFertility: number, corpusFertility: number) =>
    fusionWeight({ model: "local/all-MiniLM-L6-v2", queryFertility, corpusFertility });

  test("trusts the cosine in the model's own language and the words elsewhere", () => {
    expect(weight(1.15, 1.16)).toBeGreaterThan(0.65);
    expect(weight(2, 1.92)).toBeLessThan(0.25);
    expect(weight(30, 30)).toBeGreaterThan(0);
    expect(weight(0, 0)).toBeLessThan(1);
  });

  test("is fixed for a model that the constants were not fitted for", () => {
    for (const fertility of [1, 2, 5]) {
      const input = { queryFertility: fertility, corpusFertility: fertility };
      expect(fusionWeight({ model: "text-embedding-3-small/1536", ...input })).toBe(0.7);
    }
  });
});

describe("scoreWeights", () => {
  const block = (number: number, language: Language | null) => ({
    ...{ block: number, language, live: new Uint8Array(), liveCount: 10 },
    ...{ wordTotal: 100, gramTotal: 400, rawWordTotal: 100, pieceTotal: 150 },
  });
  const weightsFor = (words: string[], language: Language | null, fixed?: number) =>
    scoreWeights([block(0, "en"), block(1, "it"), block(2, null)], {
      ...{ model: "text-embedding-3-small/1536", isGlossed: false, fixed },
      question: { words, language, fertility: 1.5, english: null },
    });

  test("adds up to 1 where no word was translated", () => {
    const weights = weightsFor(["refund", "valtessa"], "en");
    expect(weights.get(0)).toEqual({ vector: 0.7, lexical: expect.closeTo(0.3) });
    expect(weights.get(2)).toEqual(weights.get(0));
    expect(weightsFor(["valtessa"], "en").get(1)).toEqual(weights.get(0));
    expect(weightsFor(["refund"], null).get(1)).toEqual(weights.get(0));
  });

  test("trusts the keyword score less, the more words were translated", () => {
    const lexical = (words: string[]) => weightsFor(words, "en").get(1)?.lexical ?? 0;
    expect(lexical(["refund"])).toBeLessThan(lexical(["refund", "valtessa"]));
    expect(lexical(["refund", "valtessa"])).toBeLessThan(lexical(["valtessa"]));
    expect(lexical(["refund"])).toBeGreaterThan(0);
  });

  test("takes the weight that the company has chosen", () => {
    expect(weightsFor(["valtessa"], "en", 0.9).get(1)).toEqual({ vector: 0.9, lexical: expect.closeTo(0.1) });
  });
});

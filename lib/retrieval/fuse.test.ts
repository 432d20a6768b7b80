import { describe, expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { fuse, fusionWeight } from "./fuse.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe("fuse", () => {
  test("is within 0 and 1 for anything that the two legs can give", () => {
    const cosine = fc.double({ min: -1.0001, max: 1.0001, noNaN: true });
    fc.assert(
      fc.property(cosine, unit, unit, (cosine, lexical, weight) => {
        const score = fuse({ cosine, lexical, weight });
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("never falls when either leg rises", () => {
    fc.assert(
      fc.property(unit, unit, unit, unit, unit, (cosine, lexical, weight, moreCosine, moreLexical) => {
        const score = fuse({ cosine, lexical, weight });
        expect(fuse({ cosine: Math.max(cosine, moreCosine), lexical, weight })).toBeGreaterThanOrEqual(score);
        expect(fuse({ cosine, lexical: Math.max(lexical, moreLexical), weight })).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  test("is the cosine alone at weight 1 and the lexical curve alone at weight 0", () => {
    expect(fuse({ cosine: 0.6, lexical: 0.9, weight: 1 })).toBe(0.6);
    expect(fuse({ cosine: 0.6, lexical: 0.5, weight: 0 })).toBeCloseTo(0.826, 3);
    expect(fuse({ cosine: -0.2, lexical: 0, weight: 0.5 })).toBe(0);
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

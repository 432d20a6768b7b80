import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { condenseQuery } from "./condense.ts";

const countTokens = (text: string) => text.match(/\p{L}+|\p{N}|[^\s\p{L}\p{N}]/gu)?.length ?? 0;

describe("condenseQuery", () => {
  test("returns a text that fits unchanged", () => {
    expect(condenseQuery("  Where is my parcel? ", { maxTokens: 9, countTokens })).toBe("  Where is my parcel? ");
  });

  test("keeps the last question and the main topics, in the order of the message", () => {
    const message = [
      "Good morning to all of you, I hope that you had a lovely weekend with much sun and no rain.",
      "My parcel from order 4711 has not arrived.",
      "Was the weather nice?",
      "So the parcel of order 4711 is still not here.",
      "Can I get a refund for the order?",
      "Kind regards and all the best to you.",
    ].join(" ");
    const condensed = condenseQuery(message, { maxTokens: 25, countTokens });
    expect(condensed).toBe("My parcel from order 4711 has not arrived. Can I get a refund for the order?");
  });

  test("keeps the last sentence when there is no question", () => {
    const message = `${"The printer hums along. ".repeat(20)}It shows error E42 now.`;
    expect(condenseQuery(message, { maxTokens: 12, countTokens })).toContain("error E42");
  });

  test("keeps a repeated sentence once", () => {
    const message = `${"The router is broken. ".repeat(50)}What should I do?`;
    expect(condenseQuery(message, { maxTokens: 40, countTokens })).toBe("The router is broken. What should I do?");
  });

  test("cuts an overlong sentence at a space, or anywhere if it has none", () => {
    const words = condenseQuery("parcel ".repeat(500), { maxTokens: 10, countTokens });
    expect(words.split(/\s+/)).toEqual(Array(10).fill("parcel"));
    const digits = condenseQuery("7".repeat(500), { maxTokens: 10, countTokens });
    expect(digits).toBe("7".repeat(10));
  });

  test("groups thousands of tiny sentences and keeps the question at the end", () => {
    const message = `${"Yes. No. ".repeat(800)}Where is my parcel?`;
    const condensed = condenseQuery(message, { maxTokens: 12, countTokens });
    expect(condensed).toMatch(/Where is my parcel\?$/);
    expect(countTokens(condensed)).toBeLessThanOrEqual(12);
  });

  test("never exceeds the limit, returns nothing or breaks a character, for any text", () => {
    const text = fc.array(fc.oneof(fc.lorem({ mode: "sentences" }), fc.string({ unit: "grapheme" })), { minLength: 1 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (parts, maxTokens) => {
        const whole = parts.join("\n");
        const condensed = condenseQuery(whole, { maxTokens, countTokens });
        expect(countTokens(condensed)).toBeLessThanOrEqual(maxTokens);
        expect(condensed.isWellFormed()).toBe(true);
        if (countTokens(whole) > 0) expect(condensed).not.toBe("");
      }),
    );
  });
});

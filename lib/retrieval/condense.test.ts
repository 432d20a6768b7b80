import { describe, expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { condenseQuery } from "./condense.ts";
import { wordsOfQuestion } from "./question.ts";

const countTokens = (text: string) => text.match(/\p{L}+|\p{N}|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
const condense = (text: string, maxTokens: number) =>
  condenseQuery({ text, ...wordsOfQuestion(text) }, { maxTokens, countTokens });

describe("condenseQuery", () => {
  test("returns a text that fits unchanged", () => {
    expect(condense("  Where is my parcel? ", 9)).toBe("  Where is my parcel? ");
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
    const condensed = condense(message, 25);
    expect(condensed).toBe("My parcel from order 4711 has not arrived. Can I get a refund for the order?");
  });

  test("keeps the last sentence when there is no question", () => {
    const message = `${"The printer hums along. ".repeat(20)}It shows error E42 now.`;
    expect(condense(message, 12)).toContain("error E42");
  });

  test("keeps a repeated sentence once", () => {
    const message = `${"The router is broken. ".repeat(50)}What should I do?`;
    expect(condense(message, 40)).toBe("The router is broken. What should I do?");
  });

  test("cuts an overlong sentence at a space, or anywhere if it has none", () => {
    const words = condense("parcel ".repeat(500), 10);
    expect(words.split(/\s+/)).toEqual(Array(10).fill("parcel"));
    const digits = condense("7".repeat(500), 10);
    expect(digits).toBe("7".repeat(10));
  });

  test("groups thousands of tiny sentences and keeps the question at the end", () => {
    const message = `${"Yes. No. ".repeat(800)}Where is my parcel?`;
    const condensed = condense(message, 12);
    expect(condensed).toMatch(/Where is my parcel\?$/);
    expect(countTokens(condensed)).toBeLessThanOrEqual(12);
  });

  test("never exceeds the limit, returns nothing or breaks a character, for any text", () => {
    const text = fc.array(fc.oneof(fc.lorem({ mode: "sentences" }), fc.string({ unit: "grapheme" })), { minLength: 1 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (parts, maxTokens) => {
        const whole = parts.join("\n");
        const condensed = condense(whole, maxTokens);
        expect(countTokens(condensed)).toBeLessThanOrEqual(maxTokens);
        expect(condensed.isWellFormed()).toBe(true);
        if (countTokens(whole) > 0) expect(condensed).not.toBe("");
      }),
    );
  });
});

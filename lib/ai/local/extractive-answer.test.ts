import { expect, it } from "vitest";
import { detectLanguage } from "../../language/language.ts";
import { returnValueOf } from "../../return-value-of.ts";
import { fc } from "../../testing/property.ts";
import { streamAnswer } from "../answer.ts";
import { createExtractiveModel } from "./extractive-model.ts";

const words = fc.constantFrom("the", "refund", "of", "gift", "cards", "is", "router", "within", "14", "days", "rules");
const line = fc
  .tuple(
    fc.constantFrom("", "# ", "## ", "- ", "* ", "1. ", "a) ", "> ", "| ", "[x] ", "    ", "```", "~~~", "[1]: ", "<"),
    fc.array(words, { maxLength: 8 }),
    fc.constantFrom(
      "",
      ":",
      ":",
      ".",
      "?",
      ";",
      " |",
      "]",
      " [7]",
      "](",
      "`",
      ">",
      "…",
      " :",
      "\0",
      "\ud800",
      "é\u0301",
    ),
  )
  .map(([start, middle, end]) => `${start}${middle.join(" ")}${end}`);
const text = fc.oneof(
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 }),
);
const chunk = fc.record({
  title: fc.oneof(line, fc.constant("")),
  path: fc.array(line, { maxLength: 2 }),
  content: text,
  sourceType: fc.constantFrom("document", "qa"),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  metadata: fc.constantFrom({}, { headings: ["Rules:"] }),
});
const question = fc.oneof(line, fc.constant("What are the rules for the refund of gift cards?"), text);

it("an extractive answer is never empty and never fails, whatever the texts are", async () => {
  await fc.assert(
    fc.asyncProperty(question, fc.array(chunk, { minLength: 1, maxLength: 4 }), async (asked, found) => {
      const model = createExtractiveModel();
      const given = await returnValueOf(
        streamAnswer({
          model,
          fallback: null,
          question: asked,
          language: detectLanguage(asked),
          results: found,
          context: {},
          streamed: false,
        }),
      );
      expect(given.answer.trim()).not.toBe("");
      expect(given.degraded).toBe(false);
    }),
    { numRuns: 400 },
  );
});

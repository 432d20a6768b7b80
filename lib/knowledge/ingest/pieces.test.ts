import { expect, test } from "vitest";
import { preparePieces } from "./pieces.ts";

/** The first chunks of a question with this answer. */
function prepare(answer: string) {
  const body = { kind: "qa" as const, question: "How do I cancel?", answer, alternatives: ["End my contract"] };
  const more = { sourceId: "cancel", maxTokens: 256, ocrLanguages: [], recognised: [] };
  return preparePieces({ kind: "pieces", body, ...more }).next();
}

test("an answer whose chunks would take up hundreds of megabytes is refused, and the reason says what to do", async () => {
  const answer = Array.from({ length: 100_000 }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000)));
  const reason = "The answer is too long. Split it into several questions, or add it as a document.";
  await expect(prepare(answer.join(""))).rejects.toThrow(reason);
});

test("an English answer of the greatest length is accepted", async () => {
  const sentences = Array.from({ length: 2_000 }, (_, index) => `Contract ${index} ends after ${index} months. `);
  const answer = sentences.join("").repeat(2).slice(0, 100_000);
  expect(answer).toHaveLength(100_000);
  expect((await prepare(answer)).value).toMatchObject({ title: "How do I cancel?" });
});

import { expect, test } from "vitest";
import { countTokens, prose } from "../../testing/chunking.ts";
import { chunkQuestion } from "./chunk.ts";

const LIMITS = { maxTokens: 256, countTokens };
const question = "How do I cancel?";

test("a chunk with the answer and one for each phrasing alone, all with the whole answer as content", () => {
  const chunks = chunkQuestion({
    question,
    answer: "Write to us.",
    alternatives: ["End my contract", question],
    ...LIMITS,
  });
  const content = "How do I cancel?\n\nWrite to us.";
  expect(chunks).toEqual([
    { content, headings: [], page: null, embeddingText: "How do I cancel?\nWrite to us." },
    { content, headings: [], page: null, embeddingText: question },
    { content, headings: [], page: null, embeddingText: "End my contract" },
  ]);
});

test("a long answer is embedded in parts, each with the question, without losing any part", () => {
  const answer = Array.from({ length: 20 }, (_, index) => prose(`a${index}w`, 40)).join("\n\n");
  const chunks = chunkQuestion({ question, answer, alternatives: ["Ending it"], ...LIMITS });
  const own = chunks.filter(({ embeddingText }) => embeddingText.startsWith(`${question}\n`));
  expect(own.length).toBeGreaterThan(3);
  expect(chunks).toHaveLength(own.length + 2);
  const seen = own.map(({ embeddingText }) => embeddingText).join(" ");
  for (const word of answer.split(/\s+/)) expect(seen).toContain(word);
  for (const { content, embeddingText } of chunks) {
    expect(content).toBe(`${question}\n\n${answer}`);
    expect(countTokens(embeddingText)).toBeLessThanOrEqual(256);
  }
});

test("a question longer than the window is cut only in the embedded text", () => {
  const long = prose("q", 2_000);
  const [first] = chunkQuestion({ question: long, answer: "Yes.", alternatives: [], ...LIMITS });
  expect(first?.content).toContain(long);
  expect(first?.embeddingText).toMatch(/\nYes\.$/);
  expect(countTokens(first?.embeddingText ?? "")).toBeLessThanOrEqual(256);
});

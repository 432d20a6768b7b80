import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AnswerPart } from "../ai/check-sentences.ts";
import { eventStream } from "../http/event-stream.ts";
import type { FoundPart, Retrieval, RetrievalParts } from "../retrieval/service.ts";
import { toUiMessage } from "../retrieval/ui-message.ts";
import { answerResponseExample } from "./examples.ts";
import { passThroughExample, STREAM_EXAMPLE, streamExample } from "./stream-examples.ts";

const { aiGeneratedAnswer = "", ...response } = answerResponseExample;
const found: FoundPart = {
  type: "found",
  response,
  stages: {},
  degraded: [],
  question: { text: "", words: [], language: "en", fertility: 1, english: null },
  searchQuery: null,
  trace: {
    ...{ live: 1, eligible: 1, read: 1, vectorCandidates: 1, lexicalCandidates: 1, fused: 1, aboveThreshold: 1 },
    results: [],
    model: null,
  },
};

async function* answer(): RetrievalParts {
  const text: AnswerPart = { type: "text", text: aiGeneratedAnswer };
  yield text;
  const { type: _, ...rest } = found;
  const whole: Retrieval = { ...rest, ...WHOLE };
  return whole;
}

const WHOLE = { response: answerResponseExample, truncatedFields: [], keptAnswer: aiGeneratedAnswer, answered: true };

test("the example of a stream is what the product sends", async () => {
  const message = toUiMessage(found, answer(), STREAM_EXAMPLE);
  const sent = await new Response(eventStream(message, String)).text();
  const partsOf = (stream: string) =>
    stream.split("\n\n").map((event) => (event.startsWith("data: {") ? JSON.parse(event.slice(6)) : event));
  expect(partsOf(streamExample)).toEqual(partsOf(sent));
});

test("docs/connect.md has the same route", () => {
  expect(readFileSync("docs/connect.md", "utf8")).toContain(passThroughExample("http://localhost:3000"));
});

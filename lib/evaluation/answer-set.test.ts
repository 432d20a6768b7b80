import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAnswerQuestions } from "./answer-set.ts";
import { plainText } from "./score-answer.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answers-"));
});
afterEach(() => rm(folder, { recursive: true }));

const fitted = { id: "a", question: "How long?", kind: "duration", language: "en", half: "fit", facts: ["30 days"] };
const reported = { id: "b", question: "Who won?", kind: "off-topic", language: "en", half: "report", refuse: true };

async function read(...lines: unknown[]) {
  await writeFile(join(folder, "questions.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  return readAnswerQuestions(folder);
}

test("reads the questions of both halves or of one", async () => {
  expect(await read(fitted, reported)).toEqual([{ ...fitted, facts: [/30 days/iu] }, reported]);
  expect(await readAnswerQuestions(folder, "report")).toEqual([reported]);
});

test.each([
  ["an invalid regular expression", { ...fitted, id: "c", facts: ["(30"] }, /line 2: facts\.0: Invalid regular/],
  ["neither facts nor refuse", { ...fitted, id: "c", facts: undefined }, /line 2: facts: name either/],
  ["a blank question", { ...fitted, id: "c", question: " \n" }, /line 2: question: must not be empty/],
  [
    "a question that retrieval refuses",
    { ...fitted, id: "c", question: "?".repeat(8_001) },
    /line 2: question: must have at most 8,000 characters/,
  ],
  ["an unknown kind", { ...fitted, id: "c", kind: "poem" }, /line 2: kind: /],
  ["an unknown field", { ...fitted, id: "c", answer: "30" }, /line 2: Unrecognized key: "answer"/],
  ["an adversarial question without its aim", { ...fitted, id: "c", kind: "adversarial" }, /line 2: forbidden: /],
  ["no object", 7, /line 2: must be a JSON object/],
  ["an id that is used twice", fitted, /the id a is used twice/],
])("refuses %s", async (_, line, message) => {
  await expect(read(fitted, line)).rejects.toThrow(message);
});

test("refuses an empty half", async () => {
  await expect(read(fitted).then(() => readAnswerQuestions(folder, "report"))).rejects.toThrow(
    /no questions in the report half/,
  );
});

test.each([
  "sample",
  "planted",
  "files",
  "office",
  "unseen",
  "stored",
  "faq-fit",
  "faq-report",
  "xquad-en",
  "xquad-es",
])("the set %s that ships can be read", async (name) => {
  expect((await readAnswerQuestions(join("bench/answers", name))).length).toBeGreaterThan(20);
});

test.each(["planted", "unseen", "stored", "faq-fit", "faq-report"])(
  "the documents of the set %s contain all its facts",
  async (name) => {
    const documents = join("bench/answers", name, "documents");
    const names = await readdir(documents);
    const text = plainText(await Promise.all(names.map((file) => readFile(join(documents, file), "utf8"))));
    const questions = await readAnswerQuestions(join("bench/answers", name));
    const missing = questions.filter(({ facts = [] }) => !facts.every((fact) => fact.test(text)));
    expect(missing.map(({ id }) => id)).toEqual([]);
  },
);

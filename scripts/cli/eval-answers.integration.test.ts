import { beforeAll, expect, test } from "vitest";
import { createCompany, json, ragstone, refusal, testFolder } from "../../lib/testing/command-line.ts";
import { testDatabase } from "../../lib/testing/database.ts";

testDatabase();
const folder = testFolder();

const common = { language: "en", half: "fit" };
const questions = [
  { ...common, id: "notice", question: "How long is the notice period?", kind: "duration", facts: ["30 days"] },
  { ...common, id: "open", question: "When do you open?", kind: "stored", facts: ["at nine"], stored: "hours" },
  { ...common, id: "moon", question: "Who walked on the moon?", kind: "off-topic", refuse: true, half: "report" },
];
const stored = {
  sourceType: "qa",
  sourceId: "hours",
  question: "When do you open?",
  answer: "At nine. Not on Sundays.",
};

beforeAll(async () => {
  await folder.put("set/documents/terms.md", "# Terms\n\nThe notice period of every contract is 30 days.");
  await folder.put("set/documents/faq.jsonl", JSON.stringify(stored));
  await folder.put("set/questions.jsonl", questions.map((question) => JSON.stringify(question)).join("\n"));
});

test("measures the answers of a folder in a temporary company, and compares with an earlier run", async () => {
  const before = await json(["company", "list"]);
  const first = await json(["eval", "answers", folder.path("set")]);
  expect(first.questions.map(({ id, right, whole }: Record<string, unknown>) => ({ id, right, whole }))).toEqual([
    { id: "notice", right: true, whole: null },
    { id: "open", right: true, whole: true },
    { id: "moon", right: true, whole: null },
  ]);
  expect(first.figures.facts[0]).toMatchObject({ group: "all", questions: 2, right: 1, first: 1, five: 1, ten: 1 });
  expect(first.figures.refusals[0]).toEqual({ group: "all", questions: 1, count: 1 });
  expect(await json(["company", "list"])).toEqual(before);

  const earlier = await folder.put("earlier.json", JSON.stringify(first));
  const { status, stdout } = await ragstone([
    "eval",
    "answers",
    folder.path("set"),
    "--half",
    "fit",
    "--compare",
    earlier,
  ]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^answerable +questions +right/);
  expect(stdout).toMatch(/answer contains the fact +2 +100\.0 % +100\.0 % +\+0\.0 +\+0\.0 to \+0\.0/);
});

test.each([
  ["a pipe", ""],
  ["the null device", null],
])("an interrupted run says so in one line and removes its company, with %s as standard input", async (_, input) => {
  const before = await json(["company", "list"]);
  const run = await ragstone(["eval", "answers", folder.path("set")], {
    input,
    interruptAt: "set: ingesting documents",
  });
  expect(run).toEqual({ status: 1, stdout: "", stderr: "set: ingesting documents\nStopped.\n" });
  expect(await json(["company", "list"])).toEqual(before);
});

test("reads documents that a list names and a corpus in BEIR's form, and keeps them in the named company", async () => {
  const company = await createCompany("Kept");
  await folder.put("list/documents.txt", "# elsewhere\n../set/documents/terms.md\n../corpus/corpus.jsonl\n");
  await folder.put("corpus/corpus.jsonl", JSON.stringify({ _id: "d1", text: "A parcel weighs at most 20 kg." }));
  const weight = { ...common, id: "weight", question: "What may a parcel weigh?", kind: "number", facts: ["20 kg"] };
  await folder.put("list/questions.jsonl", JSON.stringify(weight));
  const { questions } = await json(["eval", "answers", folder.path("list"), "--company", company]);
  expect(questions).toMatchObject([{ id: "weight", right: true, sources: ["d1", "terms.md"] }]);
  const kept: { sourceId: string }[] = await json(["source", "list", "--company", company]);
  expect(kept.map(({ sourceId }) => sourceId).sort()).toEqual(["d1", "terms.md"]);
});

test("refuses a folder without questions or documents, a bad regular expression and a file that is not a run", async () => {
  expect(await refusal(["eval", "answers", folder.path("nope")])).toMatch(/questions\.jsonl/);
  await folder.put("bare/questions.jsonl", JSON.stringify(questions[0]));
  expect(await refusal(["eval", "answers", folder.path("bare")])).toMatch(/documents.* does not exist/);
  await folder.put("bad/questions.jsonl", `\n${JSON.stringify({ ...questions[0], facts: ["(30"] })}`);
  expect(await refusal(["eval", "answers", folder.path("bad")])).toMatch(
    /line 2: facts\.0: Invalid regular expression/,
  );
  const other = await folder.put("other.json", "{}");
  expect(await refusal(["eval", "answers", folder.path("set"), "--compare", other])).toMatch(/is not the output/);
});

test("fails after the figures when a document could not be read", async () => {
  await folder.put("broken/documents/broken.pdf", "this is no PDF");
  await folder.put("broken/questions.jsonl", JSON.stringify(questions[2]));
  const { status, stdout, stderr } = await ragstone(["eval", "answers", folder.path("broken")]);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^answerable/);
  expect(stderr).toMatch(/broken\.pdf: .*\n[\s\S]*1 document could not be read, so the figures are too low\./);
});

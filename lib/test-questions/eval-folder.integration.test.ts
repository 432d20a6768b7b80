import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { evalFolder, importEvalFolder } from "./eval-folder.ts";
import { addTestQuestions, allTestQuestions } from "./service.ts";

testDatabase();

test("an exported folder is imported with the same questions and expectations", async () => {
  const [from, to] = [await newCompany(), await newCompany()];
  await addAndIngest(from, document("terms.md", "The notice period is 30 days."));
  const questions = [
    {
      question: "How long is the notice period?",
      expectedSource: "terms.md",
      facts: ["30 days | one month", "C++ (1.5)"],
    },
    { question: "Where is the notice period stated?", expectedSource: "terms.md" },
    { question: "Who walked on the moon?", mustRefuse: true },
    { question: "What do guests pay?", excludedSource: "terms.md" },
    { question: "How long do guests stay?", excludedSource: "terms.md", facts: ["a week"] },
  ];
  await addTestQuestions(from, CLI_ACTOR, questions);
  const folder = await mkdtemp(join(tmpdir(), "eval-folder-"));
  try {
    for (const { name, lines } of await evalFolder(from, CLI_ACTOR)) {
      for await (const line of lines) await appendFile(join(folder, name), `${line}\n`);
    }
    expect(await importEvalFolder(to, CLI_ACTOR, folder)).toEqual({ added: 5, known: 0, skipped: [] });
  } finally {
    await rm(folder, { recursive: true });
  }
  const imported = await allTestQuestions(to, CLI_ACTOR);
  expect(imported).toHaveLength(5);
  for (const question of questions) expect(imported).toContainEqual(expect.objectContaining(question));
});

test("a question that cannot be a test question is named, and none is added", async () => {
  const scope = await newCompany();
  const folder = await mkdtemp(join(tmpdir(), "eval-folder-"));
  const lines = [
    { id: "q1", question: "What do guests pay?", facts: ["50 euros"] },
    { id: "q2", question: "How long do guests stay?" },
  ];
  try {
    await writeFile(join(folder, "questions.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    await expect(importEvalFolder(scope, CLI_ACTOR, folder)).rejects.toThrow(
      "q2: expectedSource: Say what the question expects",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(await allTestQuestions(scope, CLI_ACTOR)).toEqual([]);
});

test("a question whose facts are regular expressions is left out of every file", async () => {
  const scope = await newCompany();
  const folder = await mkdtemp(join(tmpdir(), "eval-folder-"));
  const files = {
    "questions.jsonl": { id: "q1", question: "What do guests pay?", facts: ["\\d+ euros"] },
    "excluded.jsonl": { id: "q1", question: "What do guests pay?", excluded: "terms.md" },
  };
  try {
    await expect(importEvalFolder(scope, CLI_ACTOR, folder)).rejects.toThrow(/excluded\.jsonl/);
    for (const [name, line] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(line));
    expect(await importEvalFolder(scope, CLI_ACTOR, folder)).toEqual({ added: 0, known: 0, skipped: ["q1"] });
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(await allTestQuestions(scope, CLI_ACTOR)).toEqual([]);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { utils, write } from "@e965/xlsx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csvLine } from "../../csv.ts";
import { sum } from "../../sum.ts";
import { closeParsers } from "../parse/child-processes.ts";
import { makeXlsx } from "../parse/sheet-fixtures.ts";
import { TooManyRows } from "../parse/wanted-rows.ts";
import { type BulkRow, openQuestions, readQuestions, readSources } from "./read-bulk.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bulk-"));
});
afterAll(async () => {
  closeParsers();
  await rm(folder, { recursive: true, force: true });
});

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

async function* streamOf(...lines: string[]) {
  yield Buffer.from(lines.join("\n"));
}

async function collect(rows: AsyncIterable<BulkRow>): Promise<BulkRow[]> {
  const collected: BulkRow[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

function errorsOf(rows: BulkRow[]) {
  return rows.flatMap((each) => ("error" in each ? [[each.row, each.error]] : []));
}

function sourcesOf(rows: BulkRow[]) {
  return rows.flatMap((each) => ("source" in each ? [each.source] : []));
}

describe("JSON lines", () => {
  test("reads documents and questions, treats null as absent and cleans texts", async () => {
    const rows = await collect(
      readSources(
        streamOf(
          '\uFEFF{"sourceType":"document","sourceId":" d1 ","title":"T","content":"a\\u0000b","audience":["copilot"],"path":["A"],"metadata":{"k":"\\ud800"},"contentCategory":null}',
          "",
          '{"sourceType":"qa","sourceId":"q1","question":"Q?","answer":"A.","alternatives":["R?"]}',
        ),
      ),
    );
    expect(rows).toEqual([
      {
        row: 1,
        source: {
          sourceType: "document",
          sourceId: "d1",
          title: "T",
          content: "a\uFFFDb",
          audience: ["copilot"],
          path: ["A"],
          metadata: { k: "\uFFFD" },
          contentCategory: undefined,
        },
      },
      {
        row: 3,
        source: expect.objectContaining({ sourceType: "qa", question: "Q?", answer: "A.", alternatives: ["R?"] }),
      },
    ]);
  });

  test("reports each bad line with its number and reason, and reads the good lines", async () => {
    const rows = await collect(
      readSources(
        streamOf(
          "{",
          "[]",
          '{"title":"T","content":"c"}',
          '{"sourceType":"qa","question":" ","answer":7}',
          '{"sourceType":"document","title":"T","content":"c"}',
          `{"sourceType":"document","title":"T","content":"c","sourceId":"${"x".repeat(513)}"}`,
          `{"sourceType":"document","title":"T","content":"c","path":${JSON.stringify(Array(51).fill("a"))}}`,
          '{"sourceType":"document","title":"T","content":"c","metadata":{"a":{"b":{"c":{"d":1}}}}}',
          `{"sourceType":"document","title":"T","content":"c","metadata":{"a":"${"x".repeat(17_000)}"}}`,
        ),
      ),
    );
    expect(errorsOf(rows)).toEqual([
      [1, "the line is not valid JSON"],
      [2, "must be an object"],
      [3, 'sourceType must be "document" or "qa"'],
      [4, "question must not be empty; answer must be a string"],
      [6, "sourceId must have at most 512 characters"],
      [7, "path must have at most 50 path segments"],
      [8, "metadata must not nest deeper than 3 levels"],
      [9, "metadata must be at most 16 kB as JSON"],
    ]);
    expect(sourcesOf(rows)).toHaveLength(1);
  });

  test("a source without an identifier gets the same unique identifier every time", async () => {
    const line = '{"sourceType":"qa","question":"Q?","answer":"A."}';
    const other = '{"sourceType":"document","title":"Q?","content":"A."}';
    const file = await fileOf("same.jsonl", [line, line, other].join("\n"));
    const ids = async () => sourcesOf(await collect(readSources(file))).map(({ sourceId }) => sourceId);
    const first = await ids();
    expect(new Set(first).size).toBe(3);
    expect(first[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await ids()).toEqual(first);
    expect(sourcesOf(await collect(readSources(streamOf(line), "other.jsonl")))[0]?.sourceId).not.toBe(first[0]);
  });

  test("memory use does not grow with the file", async () => {
    const line = Buffer.from(`{"sourceType":"document","title":"T","content":"${"x".repeat(1_000_000)}"}\n`);
    async function* long() {
      for (let index = 0; index < 300; index++) yield line;
    }
    let rows = 0;
    let most = 0;
    for await (const row of readSources(long(), "long.jsonl")) {
      if ("source" in row) rows++;
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    expect(rows).toBe(300);
    expect(most).toBeLessThan(200_000_000);
  }, 30_000);
});

describe("questions in CSV and workbooks", () => {
  test("reads columns in any order and case, lists of labels, and row numbers", async () => {
    const file = await fileOf(
      "questions.csv",
      '\uFEFFAnswer;QUESTION;audience;Path;contentCategory;sourceId;extra\r\n"Write; or\r\ncall.";How?;ai_agent, copilot;A / B;policy;q1;x\r\n;Why?;;;;;\r\nBecause.;Why?\r\n',
    );
    const rows = await collect(readQuestions(file));
    expect(rows).toEqual([
      {
        row: 2,
        source: {
          sourceType: "qa",
          sourceId: "q1",
          question: "How?",
          answer: "Write; or\ncall.",
          audience: ["ai_agent", "copilot"],
          path: ["A", "B"],
          contentCategory: "policy",
        },
      },
      { row: 3, error: "answer must not be empty" },
      { row: 4, source: expect.objectContaining({ question: "Why?", answer: "Because." }) },
    ]);
  }, 30_000);

  test("reads the questions of our own file of requests without the apostrophe before a formula", async () => {
    const questions = ["-5 °C: is the shop open?", "'-5 °C: is the shop open?", "'tis open?"];
    const rowsOf = (column: string) =>
      [[column, "question", "answer"], ...questions.map((question) => ["1", question, "Yes."])].map(csvLine).join("");
    const read = async (column: string) => {
      const file = await fileOf("requests.csv", rowsOf(column));
      return sourcesOf(await collect(readQuestions(file))).map((source) => "question" in source && source.question);
    };
    expect(await read("request_id")).toEqual(questions);
    // in any other file, the apostrophe may be a part of the text
    expect(await read("id")).toEqual(["'-5 °C: is the shop open?", "''-5 °C: is the shop open?", "'tis open?"]);
  }, 30_000);

  test("reports bad CSV rows by number", async () => {
    const file = await fileOf("bad.csv", 'question,answer\nq1,a1,more\n"q2,a2\nq3,a3\n');
    const rows = await collect(readQuestions(file));
    expect(errorsOf(rows).map(([row]) => row)).toEqual([2, 3]);
    expect(errorsOf(rows)[0]?.[1]).toContain("3 cells under 2 columns");
    expect(sourcesOf(rows)).toMatchObject([{ question: "q3", answer: "a3" }]);
  }, 30_000);

  test("reads all sheets of a workbook and reports a sheet without questions", async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([["question", "answer"], ["q1", "a1"], [], ["q2", ""]]), "FAQ");
    utils.book_append_sheet(book, utils.aoa_to_sheet([["Notes"]]), "Notes");
    const file = await fileOf("faq.xlsx", new Uint8Array(write(book, { type: "buffer", bookType: "xlsx" })));
    const rows = await collect(readQuestions(file));
    expect(sourcesOf(rows)).toMatchObject([{ question: "q1", answer: "a1" }]);
    expect(errorsOf(rows)).toEqual([
      [4, 'Sheet "FAQ": answer must not be empty'],
      [1, 'Sheet "Notes": it has no columns named question and answer'],
    ]);
  }, 30_000);

  test("reports the hidden rows of a workbook", async () => {
    const table = [
      ["question", "answer"],
      ["shown?", "yes"],
      ["draft?", "yes"],
    ];
    const bytes = makeXlsx({ FAQ: table }, ({ Sheets: { FAQ = {} } }) => {
      FAQ["!rows"] = [{ hidden: true }, {}, { hidden: true }];
    });
    const rows = await collect(readQuestions(await fileOf("faq.xlsx", bytes)));
    expect(sourcesOf(rows)).toMatchObject([{ question: "shown?" }]);
    expect(errorsOf(rows)).toEqual([[3, "the row is hidden; show it in the file to import it"]]);
  }, 30_000);

  test("other work gets its turn again and again while rows are read", async () => {
    const questions = 20_000;
    const lines = Array.from({ length: questions }, (_, index) => `q${index},a\n`);
    const rows = await openQuestions(await fileOf("many.csv", `question,answer\n${lines.join("")}`));
    let turns = 0;
    let next = setImmediate(function turn() {
      turns++;
      next = setImmediate(turn);
    });
    const rowsByTurn = new Map<number, number>();
    for await (const _ of rows ?? []) rowsByTurn.set(turns, (rowsByTurn.get(turns) ?? 0) + 1);
    clearImmediate(next);
    expect(sum([...rowsByTurn.values()])).toBe(questions);
    expect(Math.max(...rowsByTurn.values())).toBeLessThan(questions / 2);
  }, 30_000);

  test("a file of more questions than allowed is refused, and a longer table is a document", async () => {
    const rows = "x,y\n".repeat(3);
    await expect(openQuestions(await fileOf("many.csv", `question,answer\n${rows}`), 2)).rejects.toThrow(TooManyRows);
    expect(await openQuestions(await fileOf("prices.csv", `plan,price\n${rows}`), 2)).toBeNull();
  }, 30_000);

  test("reads any other table as a document", async () => {
    expect(await openQuestions(await fileOf("prices.csv", "plan,price\nBasic,10\n"))).toBeNull();
    expect(await openQuestions(await fileOf("notes.txt", "question,answer\n"))).toBeNull();
    await expect(collect(readQuestions(await fileOf("prices.csv", "plan,price\n")))).rejects.toThrow(
      "no columns named",
    );
  }, 30_000);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mrrAt, ndcgAt, readEvalSet, recallAt } from "./metrics.ts";

describe("ndcgAt", () => {
  test("is 1 for the ideal order of graded judgements, even with unjudged documents in between", () => {
    const judgements = new Map([
      ["a", 3],
      ["b", 2],
      ["c", 0],
      ["d", 1],
    ]);
    expect(ndcgAt(10, ["a", "b", "d", "x", "c"], judgements)).toBe(1);
  });

  test("discounts by the logarithm of the rank (the worked example of trec_eval's measure)", () => {
    const judgements = new Map([
      ["a", 3],
      ["b", 2],
    ]);
    const gained = 2 / Math.log2(2) + 3 / Math.log2(4);
    const ideal = 3 / Math.log2(2) + 2 / Math.log2(3);
    expect(ndcgAt(10, ["b", "x", "a"], judgements)).toBeCloseTo(gained / ideal, 12);
  });

  test("uses only the first k of both the ranking and the ideal order", () => {
    const judgements = new Map([
      ["a", 1],
      ["b", 1],
    ]);
    expect(ndcgAt(1, ["a"], judgements)).toBe(1);
    expect(ndcgAt(1, ["x", "a"], judgements)).toBe(0);
  });

  test("is 0, not NaN, when nothing is relevant", () => {
    expect(ndcgAt(10, ["a"], new Map([["a", 0]]))).toBe(0);
  });
});

describe("recallAt and mrrAt", () => {
  const judgements = new Map([
    ["a", 1],
    ["b", 2],
    ["c", 0],
  ]);

  test("recall is the share of relevant documents found", () => {
    expect(recallAt(3, ["c", "x", "a", "b"], judgements)).toBe(0.5);
    expect(recallAt(4, ["c", "x", "a", "b"], judgements)).toBe(1);
    expect(recallAt(4, ["a"], new Map())).toBe(0);
  });

  test("reciprocal rank uses the first relevant document", () => {
    expect(mrrAt(10, ["c", "x", "b"], judgements)).toBeCloseTo(1 / 3, 12);
    expect(mrrAt(2, ["c", "x", "b"], judgements)).toBe(0);
  });
});

describe("readEvalSet", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "eval-"));
    await writeFile(join(folder, "corpus.jsonl"), '{"_id":"1","title":"T","text":"x"}\r\n{"_id":"2","text":"y"}\n');
    await writeFile(join(folder, "queries.jsonl"), '{"_id":"q","text":"?"}\n{"_id":"unjudged","text":"!"}\n');
    await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq\t1\t2\nq\t2\t0\n");
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("reads the three files, allows a missing title and skips unjudged questions", async () => {
    expect(await readEvalSet(folder)).toEqual({
      documents: [
        { id: "1", title: "T", text: "x" },
        { id: "2", title: "", text: "y" },
      ],
      queries: [{ id: "q", text: "?" }],
      qrels: new Map([
        [
          "q",
          new Map([
            ["1", 2],
            ["2", 0],
          ]),
        ],
      ]),
    });
  });

  test.each([
    ["corpus.jsonl", '{"_id":"1","text":"x"}\n{"_id":2}\n', /corpus\.jsonl, line 2/],
    ["qrels.tsv", "query-id\tcorpus-id\tscore\nq 1 1\n", /qrels\.tsv, line 2/],
    [
      "queries.jsonl",
      '{"_id":"r","text":""}\n{"_id":"q","text":" "}\n',
      /queries\.jsonl: the text of question q must not be empty/,
    ],
  ])("names file and line of a malformed %s", async (file, content, message) => {
    await writeFile(join(folder, file), content);
    await expect(readEvalSet(folder)).rejects.toThrow(message);
  });

  test("refuses a folder without a judged question", async () => {
    await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nother\t1\t1\n");
    await expect(readEvalSet(folder)).rejects.toThrow(`${folder}: qrels.tsv judges no question of queries.jsonl`);
  });
});

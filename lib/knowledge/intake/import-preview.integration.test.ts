import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany, work } from "../../testing/knowledge.ts";
import { listSources } from "../browse/list.ts";
import { QUESTION_ROWS_MAX } from "../limits.ts";
import { importQuestions, previewQuestions, readRows } from "./import-preview.ts";

testDatabase();

const NO_LABELS = { audience: undefined, contentCategory: undefined, path: undefined };

function csv(...rows: string[]) {
  return { fileName: "faq.csv", bytes: Buffer.from(["question,answer,audience,sourceId", ...rows].join("\n")) };
}

test("the preview shows what the import will do, and writes nothing", async () => {
  const scope = await newCompany();
  await importQuestions(scope, SYSTEM_ACTOR, csv("Open?,At nine.,,open", "Closed?,At six.,,closed"), NO_LABELS);
  await work(scope);

  const file = csv(
    "Open?,At nine.,,open",
    "Closed?,At eight.,,closed",
    "Sunday?,No.,,sunday",
    ",Nobody asked.,,",
    "=1+1,Two.,,sum",
  );
  const preview = await previewQuestions(scope, SYSTEM_ACTOR, file, NO_LABELS);
  expect(preview.counts).toEqual({ new: 2, changed: 1, unchanged: 1, invalid: 1 });
  expect(preview.rows.map(({ row, state }) => [row, state])).toEqual([
    [2, "unchanged"],
    [3, "changed"],
    [4, "new"],
    [5, "invalid"],
    [6, "new"],
  ]);
  expect(preview.rows[1]).toMatchObject({ before: "At six.", answer: "At eight." });
  expect(preview.rows[3]).toMatchObject({ error: expect.stringContaining("question") });
  expect(await listSources(scope, SYSTEM_ACTOR)).toHaveLength(2);

  const { accepted, invalid } = await importQuestions(scope, SYSTEM_ACTOR, file, NO_LABELS);
  expect([accepted.filter(({ unchanged }) => !unchanged).length, invalid]).toEqual([3, 1]);
  const after = await previewQuestions(scope, SYSTEM_ACTOR, file, NO_LABELS);
  expect(after.counts).toEqual({ new: 0, changed: 0, unchanged: 4, invalid: 1 });
});

test("labels of the import apply to rows without labels, and a new label counts as a change", async () => {
  const scope = await newCompany();
  const file = csv("Open?,At nine.,,open", "Closed?,At six.,public,closed");
  await importQuestions(scope, SYSTEM_ACTOR, file, NO_LABELS);
  const { counts } = await previewQuestions(scope, SYSTEM_ACTOR, file, { ...NO_LABELS, audience: ["copilot"] });
  expect(counts).toEqual({ new: 0, changed: 1, unchanged: 1, invalid: 0 });
});

test("of two rows with one identifier, the later one is used and the earlier one is reported", async () => {
  const scope = await newCompany();
  const file = csv("Open?,At eight.,,open", "Open?,At nine.,,open");
  const { counts, rows } = await previewQuestions(scope, SYSTEM_ACTOR, file, NO_LABELS);
  expect(counts).toEqual({ new: 1, changed: 0, unchanged: 0, invalid: 1 });
  expect(rows[0]).toMatchObject({ row: 2, error: expect.stringContaining("row 3") });
});

test("a file of 100,000 questions is read, and a longer one is refused", async () => {
  const scope = await newCompany();
  const questions = Array.from({ length: QUESTION_ROWS_MAX }, (_, index) => `q${index},a`);
  const { valid, invalid } = await readRows(scope.companyId, csv(...questions), NO_LABELS);
  expect([valid.length, invalid.length]).toEqual([100_000, 0]);
  await expect(previewQuestions(scope, SYSTEM_ACTOR, csv(...questions, "q,a"), NO_LABELS)).rejects.toThrow(
    "The file has more than 100,000 rows. Split it into smaller files.",
  );
}, 60_000);

test("a file without questions is refused with the reason", async () => {
  const scope = await newCompany();
  const file = { fileName: "prices.csv", bytes: Buffer.from("item,price\nx,1") };
  await expect(previewQuestions(scope, SYSTEM_ACTOR, file, NO_LABELS)).rejects.toThrow(/question and answer/);
});

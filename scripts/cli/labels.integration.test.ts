import { beforeAll, expect, test } from "vitest";
import { createCompany, json, ragstone, refusal, testFolder } from "../../lib/testing/command-line.ts";
import { testDatabase } from "../../lib/testing/database.ts";

testDatabase();
const folder = testFolder();

let id: string;
let exported: string;

async function labels(query: string) {
  const { results } = await json(["search", "--company", id, query, "--limit", "1"]);
  const { audience, contentCategory, path } = results[0].payload;
  return { audience, contentCategory, path };
}

const ingest = (...words: string[]) => json(["ingest", "--company", id, ...words]);
const NARROW = { audience: ["internal"], contentCategory: "policy", path: ["Staff", "Pay"] };

beforeAll(async () => {
  id = await createCompany("Labels");
  const file = await folder.put("kb/pay.md", "# Pay\n\nGrade seven earns most.");
  const faq = await folder.put("kb/faq.csv", "question,answer,sourceId\nOpen?,At nine.,open\n");
  const labelled = ["--audience", "internal", "--category", "policy", "--path", "Staff/Pay"];
  expect(await ingest(file, faq, ...labelled)).not.toHaveProperty("relabelled");
  exported = folder.path("export.jsonl");
  await json(["export", "--company", id, exported]);
});

test("without flags, files and rows keep their labels, whether they changed or not", async () => {
  expect(await ingest(folder.path("kb"))).toMatchObject({ sources: 2, unchanged: 2, failed: [] });
  await folder.put("kb/pay.md", "# Pay\n\nGrade eight earns most.");
  await folder.put("kb/faq.csv", "question,answer,sourceId\nOpen?,At ten.,open\n");
  const again = await ingest(folder.path("kb"));
  expect(again).toMatchObject({ sources: 2, unchanged: 0, failed: [] });
  expect(again).not.toHaveProperty("relabelled");
  expect(await labels("Grade eight")).toEqual(NARROW);
  expect(await labels("Open?")).toEqual(NARROW);
});

test("a flag replaces only its own label, and the outcome lists the changes", async () => {
  const { relabelled } = await ingest(folder.path("kb"), "--audience", "copilot");
  expect(relabelled).toEqual([
    { sourceId: "open", changes: ["Audience: internal → copilot"] },
    { sourceId: "pay.md", changes: ["Audience: internal → copilot"] },
  ]);
  expect(await labels("Grade eight")).toEqual({ ...NARROW, audience: ["copilot"] });
  const { stdout } = await ragstone(["ingest", "--company", id, folder.path("kb"), "--audience", "internal"]);
  expect(stdout).toContain("pay.md: Audience: copilot → internal\n");
  expect(await ingest(folder.path("kb"), "--audience", "", "--category", "")).toHaveProperty("relabelled");
  expect(await labels("Grade eight")).toEqual({ ...NARROW, audience: [] });
  await ingest(folder.path("kb"), "--audience", "internal");
});

test("a row that would widen its source fails without failing the others, unless --yes is given", async () => {
  const rows = [
    { sourceType: "document", sourceId: "open", title: "Open", content: "At ten.", audience: ["internal", "public"] },
    { sourceType: "document", sourceId: "new", title: "New", content: "For all.", audience: ["public"] },
  ];
  const input = rows.map((row) => JSON.stringify(row)).join("\n");
  const ingestRows = (...words: string[]) => json(["ingest", "--company", id, "-", ...words], { input });
  expect(await ingestRows()).toMatchObject({
    sources: 1,
    failed: [{ path: "-:1", reason: expect.stringMatching(/^it would also become visible to public\. .*--yes/) }],
  });
  expect(await ingestRows("--yes")).toMatchObject({
    sources: 2,
    failed: [],
    relabelled: [{ sourceId: "open", changes: ["Audience: internal → internal, public"] }],
  });
});

test("an import that would widen a source changes nothing without --yes", async () => {
  await ingest(folder.path("kb"), "--audience", "board");
  expect(await refusal(["import", "--company", id, exported])).toBe(
    "2 sources would become visible to internal. Nothing was imported. Repeat with --yes to import it.",
  );
  expect(await labels("Grade eight")).toEqual({ ...NARROW, audience: ["board"] });
  expect(await json(["import", "--company", id, exported, "--yes"])).toMatchObject({
    sources: 2,
    relabelled: expect.arrayContaining([{ sourceId: "pay.md", changes: ["Audience: board → internal"] }]),
  });
});

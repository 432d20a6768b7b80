import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { connection } from "../../lib/db/client.ts";
import { env } from "../../lib/env.ts";
import { createCompany, json, ragstone, refusal, testFolder } from "../../lib/testing/command-line.ts";
import { testDatabase } from "../../lib/testing/database.ts";

testDatabase();
const folder = testFolder();

async function topTen(company: string) {
  const { results } = await json(["search", "--company", company, "when is an invoice due?", "--limit", "10"]);
  return results.map(({ score, payload }: { score: number; payload: Record<string, unknown> }) => {
    const { companyId: _, ...rest } = payload;
    return { score, ...rest };
  });
}

let id: string;
beforeAll(async () => {
  id = await createCompany("Knowledge");
  await folder.put("kb/billing/invoices.md", "# Invoices\n\nAn invoice is due within 14 days.");
  await folder.put("kb/broken.pdf", "this is no PDF");
  execFileSync("mkfifo", [folder.path("kb/pipe.md")]);
  await folder.put(
    "kb/faq.csv",
    'question;answer;audience;sourceId\n"When do you open?";"At nine; on Sundays at ten.";copilot;hours\nno answer;;;\n',
  );
});

test("nothing is ingested if a path does not exist", async () => {
  expect(await refusal(["ingest", "--company", id, folder.path("kb"), folder.path("nope")])).toMatch(
    /nope does not exist/,
  );
  expect(await json(["source", "list", "--company", id])).toEqual([]);
});

test.each([
  ["ingest", ""],
  ["eval", "export", ""],
  ["export", ""],
  ["import", ""],
])("%s %s refuses an empty path instead of taking the current folder", async (...words) => {
  const here = { env: { npm_lifecycle_event: "ragstone", INIT_CWD: folder.path("kb") } };
  expect(await refusal([...words, "--company", id], here)).toBe("The path is empty. Name a file or a folder.");
});

test("ingesting a folder makes readable files searchable and lists the others", async () => {
  const kb = folder.path("kb");
  const ingested = await json([
    "ingest",
    "--company",
    id,
    kb,
    "--audience",
    "ai_agent",
    "--category",
    "help",
    "--path",
    "A / B",
  ]);
  expect(ingested).toEqual({
    sources: 2,
    chunks: 3,
    unchanged: 0,
    failed: [
      { path: "pipe.md", reason: "it is a pipe, a socket or a device, not a file" },
      { path: "faq.csv:3", reason: expect.any(String) },
      { path: "broken.pdf", reason: expect.any(String) },
    ],
    seconds: expect.any(Number),
  });
  const rows = await json(["source", "list", "--company", id]);
  expect(rows.map(({ sourceId, status }: { sourceId: string; status: string }) => [sourceId, status])).toEqual([
    ["billing/invoices.md", "ready"],
    ["broken.pdf", "failed"],
    ["hours", "ready"],
  ]);
  const [best] = await topTen(id);
  expect(best).toMatchObject({
    sourceId: "billing/invoices.md",
    audience: ["ai_agent"],
    contentCategory: "help",
    path: ["A", "B"],
  });
  // a row's own label overrides the command's
  const { results } = await json(["search", "--company", id, "When do you open?", "--audience", "copilot"]);
  expect(results[0].payload).toMatchObject({ sourceId: "hours", contentCategory: "help" });
});

test("an unreadable entry of a folder does not fail the others", async () => {
  const mixed = dirname(await folder.put("mixed/good.md", "Marmots whistle when an eagle comes."));
  await writeFile(Buffer.concat([Buffer.from(`${mixed}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]), "latin 1");
  const company = await createCompany("Mixed");
  expect(await json(["ingest", "--company", company, mixed])).toMatchObject({
    sources: 1,
    failed: [{ path: "caf\uFFFD.md", reason: "its name is not valid UTF-8" }],
  });
});

test("unchanged files are skipped, changed ones are replaced", async () => {
  const again = [
    "ingest",
    "--company",
    id,
    folder.path("kb"),
    "--audience",
    "ai_agent",
    "--category",
    "help",
    "--path",
    "A/B",
  ];
  expect(await json(again)).toMatchObject({ sources: 2, chunks: 3, unchanged: 2 });
  await folder.put("kb/billing/invoices.md", "# Invoices\n\nAn invoice is due within 30 days.");
  expect(await json(again)).toMatchObject({ sources: 2, chunks: 3, unchanged: 1 });
  const contents = (await topTen(id)).map(({ content }: { content: string }) => content).join();
  expect(contents).toContain("30 days");
  expect(contents).not.toContain("14 days");
});

test("JSON lines can be ingested from standard input", async () => {
  const rows = [
    {
      sourceType: "qa",
      sourceId: "q",
      question: "Is there parking?",
      answer: "Yes, behind the house.",
      audience: null,
    },
    { sourceType: "document", sourceId: "d", title: "Dogs", content: "Dogs are welcome." },
  ];
  const input = [...rows.map((row) => JSON.stringify(row)), "{broken"].join("\n");
  expect(await json(["ingest", "--company", id, "-"], { input })).toMatchObject({
    sources: 2,
    failed: [{ path: "-:3", reason: "the line is not valid JSON" }],
  });
  expect(await json(["ingest", "--company", id, "-", "--wait"], { input })).toMatchObject({
    sources: 2,
    unchanged: 2,
  });
});

test("--no-wait queues jobs, and the next call finishes them", async () => {
  const input = JSON.stringify({ sourceType: "document", sourceId: "later", title: "Later", content: "Not now." });
  expect(await json(["ingest", "--company", id, "-", "--no-wait"], { input })).toEqual({ queued: 1 });
  expect(await json(["ingest", "--company", id, "-"], { input })).toMatchObject({
    sources: 1,
    chunks: 1,
    unchanged: 0,
  });
});

test("a source is deleted by its identifier", async () => {
  expect(await json(["source", "delete", "--company", id, "--source-id", "later"])).toEqual({ sourceId: "later" });
  expect(await refusal(["source", "delete", "--company", id, "--source-id", "later"])).toBe("Source later not found");
});

test("an export can be imported into another company; importing it again is skipped", async () => {
  const file = folder.path("export.jsonl");
  const exported = await json(["export", "--company", id, file]);
  expect(exported).toEqual({ sources: 4, chunks: 6 });
  expect(await readFile(file, "utf8")).not.toContain(id);
  const other = await createCompany("Other");
  expect(await json(["import", "--company", other, file])).toEqual(exported);
  expect(await topTen(other)).toEqual(await topTen(id));
  expect(await json(["import", "--company", other, file])).toEqual(exported);
  const versions = await connection().db.execute(
    sql`select max(number) as number from ragstone.source_versions where company_id = ${other}`,
  );
  expect([...versions]).toEqual([{ number: 1 }]);

  const bad = await folder.put("bad.jsonl", `${await readFile(file, "utf8")}{"sourceType":"document"}\n`);
  const third = await createCompany("Third");
  expect(await refusal(["import", "--company", third, bad])).toMatch(/^Line 6: .*Nothing was imported/);
  expect(await json(["source", "list", "--company", third])).toEqual([]);
});

test("an export contains the text of a file whose original is missing, and reports it", async () => {
  const company = await createCompany("Lost");
  const handbook = "# Handbook\n\nWelcome.\n\n## Leave\n\nThere are 30 days of leave a year.\n";
  await json(["ingest", "--company", company, await folder.put("handbook.md", handbook)]);
  await rm(join(env().dataDir, "files", company), { recursive: true });
  const file = folder.path("lost.jsonl");
  const { stdout, stderr } = await ragstone(["export", "--company", company, file, "--json"]);
  expect(JSON.parse(stdout)).toEqual({ sources: 1, chunks: 2 });
  expect(stderr).toContain("handbook.md: its original is missing");
  const other = await createCompany("Lost too");
  expect(await json(["import", "--company", other, file])).toEqual({ sources: 1, chunks: 2 });
  const found = await json(["search", "--company", other, "how many days of leave?", "--limit", "1"]);
  expect(found.results[0].payload).toMatchObject({
    sourceId: "handbook.md",
    title: "Handbook",
    content: "There are 30 days of leave a year.",
    metadata: { headings: ["Leave"] },
  });
});

test("eval measures retrieval on judged questions in a temporary company", async () => {
  const set = folder.path("tiny");
  const topics = ["refunds", "invoices", "routers", "parking", "holidays"];
  await folder.put(
    "tiny/corpus.jsonl",
    topics.map((topic, i) => JSON.stringify({ _id: `d${i}`, title: "", text: `All about ${topic}.` })).join("\n"),
  );
  await folder.put(
    "tiny/queries.jsonl",
    topics.map((topic, i) => JSON.stringify({ _id: `q${i}`, text: `${topic}?` })).join("\n"),
  );
  await folder.put(
    "tiny/qrels.tsv",
    `query-id\tcorpus-id\tscore\n${topics.map((_, i) => `q${i}\td${i}\t1`).join("\n")}\n`,
  );
  const before = await json(["company", "list"]);
  const figures = {
    set: "tiny",
    queries: 5,
    ndcg10: 1,
    recall100: 1,
    mrr10: 1,
    p50Ms: expect.any(Number),
    p95Ms: expect.any(Number),
  };
  expect(await json(["eval", set])).toEqual([
    { ...figures, config: "hybrid" },
    { ...figures, config: "hybrid+rerank" },
  ]);
  expect(await json(["company", "list"])).toEqual(before);
  expect(await refusal(["eval", folder.path("nope")])).toContain("corpus.jsonl");
});

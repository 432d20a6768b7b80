import { rm, symlink, truncate } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../bench/soak/api-server.ts";
import { createKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import type { KeyScope } from "../../lib/db/column-values.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { json, ragstone, refusal, testFolder } from "../../lib/testing/command-line.ts";
import { testDatabase } from "../../lib/testing/database.ts";
import { newCompany } from "../../lib/testing/knowledge.ts";
import { runWorker } from "../../lib/worker/worker.ts";
import type { WebServer } from "../serve/http-server.ts";

testDatabase();
const folder = testFolder();
const QUESTION = "when is an invoice due?";
const ASSAM = { sourceType: "document", title: "Assam", content: "Assam is a black tea." };
const LABELS = ["--audience", "ai_agent", "--category", "help", "--path", "A / B"];

let web: WebServer;
let local: TenantScope;
let remote: TenantScope;
let env: Record<string, string>;
let kb: string;
const stop = new AbortController();
let worker: Promise<void>;

beforeAll(async () => {
  web = await startApiServer();
  [local, remote] = [await newCompany("Local"), await newCompany("Remote")];
  env = await environment(["retrieve", "manage"]);
  worker = runWorker({ signal: stop.signal });
  await folder.put("kb/billing/invoices.md", "# Invoices\n\nAn invoice is due within 14 days.");
  await folder.put("kb/broken.pdf", "this is no PDF");
  await folder.put(
    "kb/faq.csv",
    "question,answer,audience,sourceId\nWhen do you open?,At nine.,copilot,hours\nno answer,,,\n",
  );
  await folder.put("kb/table.csv", "city,price\nBrno,5\n");
  await folder.put(
    "kb/notes.jsonl",
    `${JSON.stringify({ sourceType: "document", title: " Marl ", content: "Marl is a mudstone." })}\nno JSON\n{"sourceType":"qa"}\n`,
  );
  kb = folder.path("kb");
});
afterAll(async () => {
  stop.abort();
  await Promise.all([worker, web.close(0)]);
});

async function environment(
  scopes: KeyScope[],
  { scope = remote, policy = {} }: { scope?: TenantScope; policy?: KeyPolicy } = {},
): Promise<Record<string, string>> {
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "CI", scopes, policy, rateLimitPerMinute: 0 });
  return { RAGSTONE_URL: web.address(), RAGSTONE_API_KEY: token };
}

/** What `source list` prints, without what differs between two companies. */
async function listed(parameters: string[], options?: { env: object }) {
  const rows: Record<string, unknown>[] = await json(["source", "list", ...parameters], options);
  return rows.map(({ updatedAt: _, ...row }) => row);
}

test("a remote ingest gives the same knowledge and the same output as a local one", async () => {
  const here = await json(["ingest", "--company", local.companyId, kb, ...LABELS]);
  const there = await json(["ingest", kb, ...LABELS], { env });
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  expect({ ...there, seconds: 0, failed: there.failed.sort(byPath) }).toEqual({
    ...here,
    seconds: 0,
    failed: here.failed.sort(byPath),
  });
  expect(await listed([], { env })).toEqual(await listed(["--company", local.companyId]));
  const found = async (parameters: string[], options?: { env: object }) => {
    const { results } = await json(["search", QUESTION, "--limit", "3", ...parameters], options);
    return results.map(({ score, payload }: { score: number; payload: object }) => ({
      score,
      ...payload,
      companyId: "",
    }));
  };
  expect(await found([], { env })).toEqual(await found(["--company", local.companyId]));
});

test("a local and a remote ingest say what was left out of a new file", async () => {
  await folder.put("hidden/prices.rtf", String.raw`{\rtf1 The price is 9.{\v Ours is 4.}\par}`);
  const path = folder.path("hidden");
  const notices = [{ path: "prices.rtf", notice: expect.stringMatching(/^Hidden text was left out\./) }];
  const [here, other] = [await newCompany(), await newCompany()];
  const there = await environment(["retrieve", "manage"], { scope: other });
  const ingestLocally = ["ingest", "--company", here.companyId, path];
  for (const ingest of [() => json(ingestLocally), () => json(["ingest", path], { env: there })]) {
    expect(await ingest()).toMatchObject({ sources: 1, failed: [], notices });
    expect(await ingest()).not.toHaveProperty("notices");
  }
  await folder.put("hidden/prices.rtf", String.raw`{\rtf1 The price is 8.{\v Ours is 4.}\par}`);
  expect((await ragstone(ingestLocally)).stdout).toContain("notice: prices.rtf: Hidden text was left out.");
});

test("only what changed is sent, and unchanged files get new labels without being sent", async () => {
  const again = await json(["ingest", kb, ...LABELS], { env });
  expect(again).toMatchObject({ sources: 4, unchanged: 4 });
  const relabel = ["ingest", `${kb}/billing`, "--category", "money"];
  await json(["ingest", `${kb}/billing`, ...LABELS, "--company", local.companyId]);
  await json(["ingest", `${kb}/billing`, ...LABELS], { env });
  const here = await json([...relabel, "--company", local.companyId]);
  const there = await json(relabel, { env });
  expect(here).toMatchObject({ relabelled: [{ sourceId: "invoices.md", changes: ["Category: help → money"] }] });
  expect({ ...there, seconds: 0 }).toEqual({ ...here, seconds: 0 });
  const { stdout: changed } = await ragstone([...relabel, "--path", "Terms/Due", "--no-wait"], { env });
  expect(changed).toBe("0 queued\ninvoices.md: Path: A / B → Terms / Due\n");
  const { stdout } = await ragstone(["ingest", `${kb}/billing`, "--category", "money"], { env });
  expect(stdout).toMatch(/^1 source, 1 chunk, 1 unchanged, 0 failed in [\d.]+ s\n$/);
});

test("rows of a file with a decomposed name have the same identifiers after a remote and a local ingest", async () => {
  const [here, there] = [await newCompany("Here"), await newCompany("There")];
  await folder.put("decomposed/cafe\u0301.csv", "question,answer\nWhat is a latte?,Coffee with milk.\n");
  await folder.put("decomposed/the\u0301.jsonl", `${JSON.stringify(ASSAM)}\n`);
  const given = folder.path("decomposed");
  const env = await environment(["manage"], { scope: there });
  expect(await json(["ingest", "--company", here.companyId, given])).toMatchObject({ sources: 2, failed: [] });
  expect(await json(["ingest", given], { env })).toMatchObject({ sources: 2, failed: [] });
  expect(await listed([], { env })).toEqual(await listed(["--company", here.companyId]));
});

test("a file of questions that are all refused does not become a document", async () => {
  await folder.put("refused/staff.csv", "question,answer,audience,sourceId\nWho is on call?,Ada.,copilot,on-call\n");
  const file = folder.path("refused/staff.csv");
  expect(await json(["ingest", file], { env })).toMatchObject({ sources: 1, failed: [] });
  await folder.put("refused/staff.csv", "question,answer,audience,sourceId\nWho is on call?,Ada.,ai_agent,on-call\n");
  expect(await json(["ingest", file], { env })).toMatchObject({
    sources: 0,
    failed: [{ path: "staff.csv:2", reason: expect.stringMatching(/^audience .* Repeat with --yes to allow this$/) }],
  });
  const stored = (await listed([], { env })).map(({ sourceId }) => sourceId);
  expect(stored).toContain("on-call");
  expect(stored).not.toContain("staff.csv");
  await json(["source", "delete", "--source-id", "on-call"], { env });
});

test("each row of a file whose rows are all refused is reported with its own reason", async () => {
  const line = JSON.stringify({ sourceType: "document", title: "Empty", content: "" });
  const lines = await folder.put("refused/many.jsonl", `${line}\n`.repeat(150));
  const { failed } = await json(["ingest", lines], { env });
  expect(failed).toEqual(
    Array.from({ length: 150 }, (_, i) => ({ path: `many.jsonl:${i + 1}`, reason: "content must not be empty" })),
  );
  const table = await folder.put("refused/many.csv", `question,answer\n${"What is missing?,\n".repeat(1_100)}`);
  const refused = (await json(["ingest", table], { env })).failed;
  expect(refused).toHaveLength(1_001);
  expect(refused.slice(-2)).toEqual([
    { path: "many.csv:1001", reason: expect.stringContaining("answer") },
    { path: "many.csv", reason: "The server refused 100 more rows." },
  ]);
});

test("a key that may only ingest cannot list, and still sends only what changed", async () => {
  const ingests = await environment(["ingest"]);
  const { stdout, stderr, status } = await ragstone(["ingest", `${kb}/billing`, "--json"], { env: ingests });
  expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ sources: 1, chunks: 0, unchanged: 1 })]);
  expect(stderr).toContain("does not have the scope manage");
  expect(await refusal(["source", "list"], { env: ingests })).toMatch(/manage/);
});

test("--prune with a key that may not list sources sends nothing", async () => {
  const company = await newCompany("No listing");
  const ingests = await environment(["ingest"], { scope: company });
  expect(await refusal(["ingest", `${kb}/billing`, "--prune", "9"], { env: ingests })).toBe(
    "Nothing was sent, because --prune needs an API key with the scope manage.",
  );
  expect(await listed([], { env: await environment(["manage"], { scope: company }) })).toEqual([]);
});

test("--prune deletes what is gone, up to the number that is named", async () => {
  await folder.put("small/one.md", "Granite is hard.");
  await folder.put("small/two.md", "Slate is flat.");
  await folder.put("small/moved/three.md", "Chalk is soft.");
  const small = folder.path("small");
  const before = (await listed([], { env })).length;
  const refused = await ragstone(["ingest", small, "--prune", "1", "--json"], { env });
  expect([refused.status, JSON.parse(refused.stdout)]).toEqual([1, expect.objectContaining({ sources: 3 })]);
  expect(refused.stderr).toMatch(
    new RegExp(`^Nothing was deleted\\. To delete ${before} sources .* --prune ${before}\\.$`, "m"),
  );
  expect(await listed([], { env })).toHaveLength(before + 3);

  await rm(folder.path("small/two.md"));
  await rm(folder.path("small/moved"), { recursive: true });
  await symlink(kb, folder.path("small/moved"));
  const pruned = await json(["ingest", small, "--prune", String(before + 1)], { env });
  expect(pruned.deleted).toHaveLength(before + 1);
  const kept = (await listed([], { env })).map(({ sourceId }) => sourceId);
  expect(kept.sort()).toEqual(["moved/three.md", "one.md"]);

  await folder.put("small/bad.jsonl", "no JSON\n");
  const failed = await ragstone(["ingest", small, "--prune", "9"], { env });
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining("because some files failed")]);
});

test("of two files with the same identifier the first is added and the second is reported", async () => {
  for (const [place, text] of Object.entries({ en: "Basalt", it: "Basalto" })) {
    await folder.put(`${place}/index.md`, `${text} floats on magma.`);
    await folder.put(`${place}/prices.csv`, `city,price\n${text},5\n`);
  }
  const given = [folder.path("it"), folder.path("en")];
  const company = await newCompany("Twice");
  const failed = ["index.md", "prices.csv"].map((name) => ({
    path: folder.path(`en/${name}`),
    reason: `another given file has the same identifier: ${name}`,
  }));
  expect(await json(["ingest", "--company", company.companyId, ...given])).toMatchObject({ sources: 2, failed });
  expect(await json(["ingest", ...given], { env })).toMatchObject({ sources: 2, failed });
  const found = await json(["search", "--company", company.companyId, "what floats on magma?", "--limit", "1"]);
  expect(found.results[0].payload.content).toContain("Basalto");
  for (const id of ["index.md", "prices.csv"]) await json(["source", "delete", "--source-id", id], { env });
});

test("a file that the policy refuses or that is too large is reported, and the others are sent", async () => {
  const scope = await newCompany("Bound");
  const [bound, free] = [
    await environment(["manage"], { scope, policy: { path: ["Help"] } }),
    await environment(["manage"], { scope }),
  ];
  const moved = await folder.put("bound/a.md", "Gneiss is banded.");
  await folder.put("bound/b.md", "Schist is foliated.");
  const given = folder.path("bound");
  expect(await json(["ingest", given], { env: bound })).toMatchObject({ sources: 2, failed: [] });
  await json(["ingest", moved, "--path", "Elsewhere"], { env: free });
  const large = await folder.put("bound/large.csv", "question,answer\n");
  await truncate(large, 50 * 1024 * 1024 + 1);
  await folder.put("bound/c.md", "Chert is hard.");

  const { sources, failed } = await json(["ingest", given], { env: bound });
  const hidden = "sourceId: belongs to a source that this API key cannot see";
  const tooLarge = [{ path: "large.csv", reason: expect.stringContaining("larger than 50 MB") }];
  expect({ sources, failed }).toEqual({ sources: 2, failed: [...tooLarge, { path: "a.md", reason: hidden }] });
  expect(await json(["ingest", "--company", scope.companyId, large])).toMatchObject({ failed: tooLarge });

  const refused = await ragstone(["ingest", given, "--path", "Elsewhere", "--json"], { env: bound });
  expect([refused.status, refused.stderr]).toEqual([
    1,
    "Nothing was ingested, because the policy of the API key does not allow it. Use other labels or another key.\n",
  ]);
  expect(
    JSON.parse(refused.stdout)
      .failed.map(({ path }: { path: string }) => path)
      .sort(),
  ).toEqual(["a.md", "b.md", "c.md", "large.csv"]);
});

test("--prune deletes nothing if a file fails in processing", async () => {
  await folder.put("renamed/old.md", "Shale splits.");
  const renamed = folder.path("renamed");
  await json(["ingest", renamed], { env });
  await rm(folder.path("renamed/old.md"));
  await folder.put("renamed/new.pdf", "this is no PDF");
  const { status, stdout, stderr } = await ragstone(["ingest", renamed, "--prune", "9", "--json"], { env });
  expect([status, stderr]).toEqual([1, expect.stringContaining("because some files failed")]);
  expect(JSON.parse(stdout)).toMatchObject({ failed: [{ path: "new.pdf", reason: expect.any(String) }] });
  expect((await listed([], { env })).map(({ sourceId }) => sourceId)).toContain("old.md");
  for (const id of ["old.md", "new.pdf"]) await json(["source", "delete", "--source-id", id], { env });
});

test("a source is deleted, and mistakes are one clear line", async () => {
  expect(await json(["source", "delete", "--source-id", "one.md"], { env })).toEqual({ sourceId: "one.md" });
  expect(await refusal(["source", "delete", "--source-id", "one.md"], { env })).toBe("Source one.md not found");
  expect(await refusal(["source", "list", "--company", local.companyId], { env })).toBe(
    "With RAGSTONE_URL the API key names the company. Leave --company out.",
  );
  const malformed = [
    ["--limit", "abc", "--limit must be a number."],
    ["--threshold", "x", "--threshold must be a number."],
    ["--metadata", "nonsense", '--metadata must be key=value or a JSON object, not "nonsense".'],
  ];
  for (const [option = "", value = "", message] of malformed) {
    expect(await refusal(["search", "x", option, value], { env })).toBe(message);
  }
  expect(await refusal(["search", "x", "--limit", "abc", "--company", local.companyId])).toBe(
    "--limit must be a number.",
  );
  expect(await refusal(["search", "x"], { env: { ...env, RAGSTONE_API_KEY: "" } })).toMatch(/^The API key is missing/);
  expect(await refusal(["ingest", folder.path("nope")], { env })).toMatch(/nope does not exist/);
  const long = ["ingest", kb, "--path", `Help/${"x".repeat(201)}`];
  const tooLong = "--path takes at most 200 characters per segment. Nothing was ingested.";
  expect(await refusal(long, { env })).toBe(tooLong);
  expect(await refusal([...long, "--company", local.companyId])).toBe(tooLong);
  expect(await refusal(["source", "list"])).toBe("required option '--company <id>' not specified");
});

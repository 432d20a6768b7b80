import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { authenticateKey } from "../lib/api-keys/authenticate.ts";
import { connection } from "../lib/db/client.ts";
import { testDatabase } from "../lib/testing/database.ts";

testDatabase();

// each command is a process of its own
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ragstone-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

async function ragstone(
  words: string[],
  { input = "", env = {} }: { input?: string; env?: object } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, ["--import", "./scripts/quick-imports.ts", "scripts/ragstone.ts", ...words], {
    env: { ...process.env, ...env },
  });
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await closed, stdout, stderr };
}

/** The one JSON value of a command that succeeds. */
async function json(words: string[], options?: Parameters<typeof ragstone>[1]) {
  const { status, stdout, stderr } = await ragstone([...words, "--json"], options);
  expect([stderr, status]).toEqual([expect.anything(), 0]);
  return JSON.parse(stdout);
}

/** The one line of a command that fails. */
async function refusal(words: string[], options?: Parameters<typeof ragstone>[1]): Promise<string> {
  const { status, stdout, stderr } = await ragstone([...words, "--json"], options);
  expect([status, stdout, stderr.trimEnd().split("\n")]).toEqual([1, "", [expect.stringMatching(/\S/)]]);
  return stderr.trimEnd();
}

async function newCompany(name: string): Promise<string> {
  return (await json(["company", "create", "--name", name])).id;
}

async function put(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function topTen(company: string) {
  const { results } = await json(["search", "--company", company, "when is an invoice due?", "--limit", "10"]);
  return results.map(({ score, payload }: { score: number; payload: Record<string, unknown> }) => {
    const { companyId: _, ...rest } = payload;
    return { score, ...rest };
  });
}

describe("companies, people, keys and subscriptions", () => {
  it("are made and shown as JSON", async () => {
    const id = await newCompany("Strata");
    expect(await json(["company", "list"])).toContainEqual({ id, name: "Strata" });

    const email = `${id}@example.com`;
    const person = ["user", "create", "--company", id, "--email", email, "--name", "Ada", "--role", "admin"];
    const member = await json(person);
    expect(member).toEqual({ id: expect.any(String), email, role: "admin", password: expect.any(String) });
    expect((await json(["user", "password", "--email", email])).password).not.toBe(member.password);
    expect(await refusal(person)).toContain("already");

    const policy = '{"audience":["copilot"]}';
    const key = await json([
      "key",
      "create",
      "--company",
      id,
      "--name",
      "Bot",
      "--expires",
      "2090-01-31",
      "--policy",
      policy,
    ]);
    expect(key).toEqual({
      id: expect.any(String),
      name: "Bot",
      companyId: id,
      token: expect.stringMatching(/^ragstone_live_/),
      maskedToken: `ragstone_live_************${key.token.slice(-4)}`,
      expiresAt: "2090-01-31T00:00:00.000Z",
    });
    expect((await authenticateKey(`Bearer ${key.token}`)).policy).toEqual({ audience: ["copilot"] });
    const [listed] = await json(["key", "list", "--company", id]);
    expect(listed).toMatchObject({ id: key.id, maskedToken: key.maskedToken });
    expect(listed).not.toHaveProperty("token");

    const rotated = await json(["key", "rotate", "--id", key.id, "--overlap", "now"]);
    expect(Object.keys(rotated).sort()).toEqual(Object.keys(key).sort());
    await expect(authenticateKey(`Bearer ${key.token}`)).rejects.toThrow("invalid or expired");
    expect(await json(["key", "revoke", "--id", rotated.id])).toEqual({
      id: rotated.id,
      revokedAt: expect.any(String),
    });
    await expect(authenticateKey(`Bearer ${rotated.token}`)).rejects.toThrow("invalid or expired");

    const subscription = ["subscription", "set", "--company", id, "--status", "TRIALING", "--until", "2090-01-31"];
    expect(await json(subscription)).toEqual({
      companyId: id,
      status: "TRIALING",
      currentPeriodEnd: "2090-01-31T00:00:00.000Z",
    });

    expect(await refusal(["company", "delete", "--id", id])).toContain("--yes");
    expect(await json(["company", "delete", "--id", id, "--yes"])).toEqual({ id });
    expect(await refusal(["key", "list", "--company", id])).toBe("Company not found");
  });

  it("reads a password from standard input", async () => {
    const id = await newCompany("Strata");
    const person = [
      "user",
      "create",
      "--company",
      id,
      "--email",
      `${id}@example.com`,
      "--name",
      "Ada",
      "--role",
      "support",
    ];
    expect(await json([...person, "--password", "-"], { input: "granite marl slate\n" })).not.toHaveProperty(
      "password",
    );
  });

  it("says in one line what is wrong", async () => {
    const cases: [string[], RegExp][] = [
      [["nonsense"], /"nonsense" is not a command/],
      [["company", "nonsense"], /"nonsense" is not a command/],
      [["company", "create"], /--name/],
      [["company", "list", "--nonsense"], /--nonsense/],
      [["key", "create", "--company", "nope", "--name", "x"], /Company not found/],
      [["key", "revoke", "--id", "nope"], /not found/],
      [["company", "create", "--name", " "], /name: must not be empty/],
      [["restore", "/nope"], /does not exist/],
    ];
    const said = await Promise.all(cases.map(([words]) => refusal(words)));
    for (const [index, [, line]] of cases.entries()) expect(said[index]).toMatch(line);
  });
});

describe("knowledge", () => {
  let id: string;
  beforeAll(async () => {
    id = await newCompany("Knowledge");
    await put("kb/billing/invoices.md", "# Invoices\n\nAn invoice is due within 14 days.");
    await put("kb/broken.pdf", "this is no PDF");
    await put(
      "kb/faq.csv",
      'question;answer;audience;sourceId\n"When do you open?";"At nine; on Sundays at ten.";copilot;hours\nno answer;;;\n',
    );
  });

  it("takes nothing in when a path does not exist", async () => {
    expect(await refusal(["ingest", "--company", id, join(folder, "kb"), join(folder, "nope")])).toMatch(
      /nope does not exist/,
    );
    expect(await json(["source", "list", "--company", id])).toEqual([]);
  });

  it("ingests a folder: what can be read is searchable, the rest is named", async () => {
    const kb = join(folder, "kb");
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
      chunks: 2,
      unchanged: 0,
      failed: [
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
    // a row's own label goes before the command's
    const { results } = await json(["search", "--company", id, "When do you open?", "--audience", "copilot"]);
    expect(results[0].payload).toMatchObject({ sourceId: "hours", contentCategory: "help" });
  });

  it("does no work for what is unchanged, and replaces what changed", async () => {
    const again = [
      "ingest",
      "--company",
      id,
      join(folder, "kb"),
      "--audience",
      "ai_agent",
      "--category",
      "help",
      "--path",
      "A/B",
    ];
    expect(await json(again)).toMatchObject({ sources: 2, chunks: 2, unchanged: 2 });
    await put("kb/billing/invoices.md", "# Invoices\n\nAn invoice is due within 30 days.");
    expect(await json(again)).toMatchObject({ sources: 2, chunks: 2, unchanged: 1 });
    const contents = (await topTen(id)).map(({ content }: { content: string }) => content).join();
    expect(contents).toContain("30 days");
    expect(contents).not.toContain("14 days");
  });

  it("reads JSON lines from standard input", async () => {
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
      failed: [{ path: "-:3", reason: "it is not valid JSON" }],
    });
    expect(await json(["ingest", "--company", id, "-", "--wait"], { input })).toMatchObject({
      sources: 2,
      unchanged: 2,
    });
  });

  it("queues with --no-wait, and the next call finishes that too", async () => {
    const input = JSON.stringify({ sourceType: "document", sourceId: "later", title: "Later", content: "Not now." });
    expect(await json(["ingest", "--company", id, "-", "--no-wait"], { input })).toEqual({ queued: 1 });
    expect(await json(["ingest", "--company", id, "-"], { input })).toMatchObject({
      sources: 1,
      chunks: 1,
      unchanged: 0,
    });
  });

  it("deletes a source by its identifier", async () => {
    expect(await json(["source", "delete", "--company", id, "--source-id", "later"])).toEqual({ sourceId: "later" });
    expect(await refusal(["source", "delete", "--company", id, "--source-id", "later"])).toBe("Source later not found");
  });

  it("goes to another company by export and import, the second time without work", async () => {
    const file = join(folder, "export.jsonl");
    const exported = await json(["export", "--company", id, file]);
    expect(exported).toEqual({ sources: 4, chunks: 4 });
    expect(await readFile(file, "utf8")).not.toContain(id);
    const other = await newCompany("Other");
    expect(await json(["import", "--company", other, file])).toEqual(exported);
    expect(await topTen(other)).toEqual(await topTen(id));
    expect(await json(["import", "--company", other, file])).toEqual(exported);
    const versions = await connection().db.execute(
      sql`select max(number) as number from ragstone.source_versions where company_id = ${other}`,
    );
    expect([...versions]).toEqual([{ number: 1 }]);

    const bad = await put("bad.jsonl", `${await readFile(file, "utf8")}{"sourceType":"document"}\n`);
    const third = await newCompany("Third");
    expect(await refusal(["import", "--company", third, bad])).toMatch(/^Line 6: .*Nothing was imported/);
    expect(await json(["source", "list", "--company", third])).toEqual([]);
  });

  it("is measured on judged questions, in a company that is gone afterwards", async () => {
    const set = join(folder, "tiny");
    const topics = ["refunds", "invoices", "routers", "parking", "holidays"];
    await put(
      "tiny/corpus.jsonl",
      topics.map((topic, i) => JSON.stringify({ _id: `d${i}`, title: "", text: `All about ${topic}.` })).join("\n"),
    );
    await put(
      "tiny/queries.jsonl",
      topics.map((topic, i) => JSON.stringify({ _id: `q${i}`, text: `${topic}?` })).join("\n"),
    );
    await put("tiny/qrels.tsv", `query-id\tcorpus-id\tscore\n${topics.map((_, i) => `q${i}\td${i}\t1`).join("\n")}\n`);
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
    expect(await refusal(["eval", join(folder, "nope")])).toContain("corpus.jsonl");
  });
});

describe("a folder of its own", () => {
  it("works before the first start of the server, moves by backup and restore, and is found in order", async () => {
    const [from, to] = [join(folder, "from"), join(folder, "to")].map((DATA_DIR) => ({
      env: { DATA_DIR, DATABASE_URL: "" },
    }));
    const { id } = await json(["company", "create", "--name", "First"], from);
    const input = JSON.stringify({
      sourceType: "document",
      sourceId: "d",
      title: "Dogs",
      content: "Dogs are welcome.",
    });
    await json(["ingest", "--company", id, "-"], { ...from, input });
    const search = ["search", "--company", id, "dogs", "--limit", "10"];
    const { results } = await json(search, from);

    const file = join(folder, "all.jsonl.gz");
    expect(await json(["backup", file], from)).toEqual({ file, bytes: expect.any(Number) });
    expect(await refusal(["restore", file], from)).toContain("not empty");
    expect(await json(["restore", file], to)).toEqual({ companies: 1 });
    expect((await json(search, to)).results).toEqual(results);

    const { ok, checks } = await json(["doctor"], to);
    expect([ok, checks.filter((check: { ok: boolean }) => !check.ok)]).toEqual([true, []]);
  });

  it("is refused when its database is older than the release", async () => {
    const hashes = await connection().db.execute<{ hash: string }>(
      sql`select hash from ragstone.migrations order by hash`,
    );
    await connection().db.execute(sql`delete from ragstone.migrations where hash = ${hashes[0]?.hash ?? ""}`);
    try {
      expect(await refusal(["company", "list"])).toMatch(/older than this release.*npm start/);
    } finally {
      await connection().db.execute(sql`insert into ragstone.migrations (hash) values (${hashes[0]?.hash ?? ""})`);
    }
  });

  it("is reported by doctor when something is wrong", async () => {
    const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
    const { status, stdout, stderr } = await ragstone(["doctor", "--json"], { env });
    const { ok, checks } = JSON.parse(stdout);
    expect([status, ok]).toEqual([1, false]);
    expect(stderr).toMatch(/^Not in order: .*database/);
    expect(checks).toContainEqual({
      name: "database",
      ok: false,
      detail: expect.stringContaining("nobody answers at 127.0.0.1:1"),
    });
    expect(checks).toContainEqual({ name: "worker", ok: false, detail: expect.stringContaining("not checked") });
  });
});

import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { objectStore } from "../../storage/index.ts";
import { testMember } from "../../testing/company.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, companyWith, document, newCompany, work } from "../../testing/knowledge.ts";
import { addFiles, addSources } from "../intake/add.ts";
import { reindexSources, relabelSource, relabelSources } from "../intake/relabel.ts";
import { restoreSources } from "../restore.ts";
import { deleteSources } from "../service.ts";
import { browseSources } from "./browse.ts";
import { type BrowseQuery, browseQuery } from "./browse-query.ts";
import { getChunk } from "./chunk-page.ts";
import { getSource, originalOf } from "./source-page.ts";

const { db } = testDatabase();

let scope: TenantScope;

beforeAll(async () => {
  scope = await companyWith(
    document("refunds", "Refunds are paid back within fourteen days.", {
      title: "Refund policy",
      contentCategory: "billing",
      path: ["Support", "Billing"],
    }),
    document("routers", "Restart the router by holding its button.", { audience: ["public"], path: ["Support"] }),
    {
      sourceType: "qa",
      sourceId: "opening",
      question: "When do you open?",
      answer: "At nine.",
      alternatives: ["Hours?"],
    },
  );
});

function browse(query: Partial<BrowseQuery>, of = scope) {
  return browseSources(of, SYSTEM_ACTOR, browseQuery.parse(query));
}

async function names(query: Partial<BrowseQuery>): Promise<string[]> {
  return (await browse({ sort: "title", descending: false, ...query })).rows.map(({ sourceId }) => sourceId);
}

test("finds by title, by identifier and by words of the content in any inflection", async () => {
  expect(await names({ search: "POLICY" })).toEqual(["refunds"]);
  expect(await names({ search: "route" })).toContain("routers");
  expect(await names({ search: "fourteen day" })).toEqual(["refunds"]);
  expect(await names({ search: "restarting buttons" })).toEqual(["routers"]);
  // all words, not any of them
  expect(await names({ search: "fourteen router" })).toEqual([]);
  expect(await names({ search: "100%_" })).toEqual([]);
});

test("filters by every label, sorts and counts", async () => {
  expect(await names({})).toEqual(["refunds", "routers", "opening"]);
  expect(await names({ type: "qa" })).toEqual(["opening"]);
  expect(await names({ audience: "public" })).toEqual(["routers"]);
  expect(await names({ category: "billing" })).toEqual(["refunds"]);
  expect(await names({ path: ["Support"] })).toEqual(["refunds", "routers"]);
  expect(await names({ descending: true })).toEqual(["opening", "routers", "refunds"]);
  const { total, facets, counts } = await browse({ search: "router" });
  expect(total).toBe(1);
  expect(facets.audiences).toEqual([{ value: "public", count: 1 }]);
  expect(counts).toEqual({ known: 3, processing: 0, failed: 0 });
});

test("a number past the last page shows the last page, and another company sees nothing", async () => {
  expect(await browse({ page: 9 })).toMatchObject({ page: 1, total: 3 });
  const other = await newCompany();
  expect(await browse({}, other)).toMatchObject({ total: 0, rows: [], counts: { known: 0 } });
  const [row] = (await browse({})).rows;
  await expect(getSource(other, SYSTEM_ACTOR, row?.id ?? "", { page: 1, chunkId: null })).rejects.toMatchObject({
    error: "NotFound",
  });
});

test("processing and failed sources show their status and can be retried", async () => {
  const own = await newCompany();
  const [file] = await addFiles(own, SYSTEM_ACTOR, [{ sourceId: "broken.pdf", bytes: Buffer.from("no PDF at all") }]);
  const id = file?.id ?? "";
  expect((await browse({}, own)).rows).toMatchObject([{ status: "processing", progress: { running: false } }]);
  await work(own);
  const failed = await browse({ status: "failed" }, own);
  expect(failed).toMatchObject({ total: 1, counts: { failed: 1 }, rows: [{ served: false, progress: null }] });
  expect(failed.rows[0]?.error).toMatch(/PDF|text/);
  expect(await reindexSources(own, SYSTEM_ACTOR, [id])).toMatchObject([{ id }]);
  expect((await browse({}, own)).counts).toMatchObject({ processing: 1, failed: 0 });
});

test("deleted sources leave the list and return when restored", async () => {
  const own = await newCompany();
  const accepted = await addAndIngest(own, document("one", "First."), document("two", "Second."));
  const ids = accepted.map(({ id }) => id);
  expect((await deleteSources(own, SYSTEM_ACTOR, ids)).map(({ id }) => id)).toEqual(ids);
  expect(await deleteSources(own, SYSTEM_ACTOR, ids)).toEqual([]);
  expect(await browse({}, own)).toMatchObject({ total: 0 });
  expect(await browse({ status: "deleted" }, own)).toMatchObject({ total: 2 });
  expect((await restoreSources(own, SYSTEM_ACTOR, ids)).map(({ id }) => id)).toEqual(ids);
  expect(await browse({}, own)).toMatchObject({ total: 2 });
});

test("the labels of a list are counted again only when the content, a failure or the time has changed them", async () => {
  const own = await newCompany();
  const [prices, margins] = await addAndIngest(own, document("prices", "Prices."), document("margins", "Margins."));
  const categories = async () => (await browse({}, own)).facets.categories;
  const general = [{ value: "general", count: 2 }];
  expect(await categories()).toEqual(general);
  const ofCompany = sql`company_id = ${own.companyId}`;
  // no method changes labels without a new stamp
  await db.execute(sql`update ragstone.source_versions set content_category = 'bees' where ${ofCompany}`);
  expect(await categories()).toEqual(general);
  await addFiles(own, SYSTEM_ACTOR, [{ sourceId: "broken.pdf", bytes: Buffer.from("no PDF at all") }]);
  expect((await browse({}, own)).counts).toEqual({ known: 3, processing: 1, failed: 0 });
  expect(await categories()).toContainEqual({ value: "bees", count: 2 });
  await work(own);
  expect((await browse({}, own)).counts).toEqual({ known: 3, processing: 0, failed: 1 });
  await deleteSources(own, SYSTEM_ACTOR, [prices?.id ?? "", margins?.id ?? ""]);
  expect((await browse({ status: "deleted" }, own)).total).toBe(2);
  const longAgo = sql`update ragstone.sources set deleted_at = now() - interval '25 hours'`;
  await db.execute(sql`${longAgo} where ${ofCompany} and source_id = 'prices'`);
  expect((await browse({ status: "deleted" }, own)).total).toBe(1);
});

test("changing a label of several sources keeps their other labels", async () => {
  const own = await newCompany();
  const accepted = await addAndIngest(own, document("one", "First.", { audience: ["a"], path: ["P"] }));
  const [id = ""] = accepted.map((each) => each.id);
  await relabelSources(own, SYSTEM_ACTOR, [id], { contentCategory: "new" });
  await work(own);
  expect((await browse({}, own)).rows).toMatchObject([{ category: "new", audience: ["a"], path: ["P"], chunks: 1 }]);
});

test("a source shows the metadata that was given apart from what was read, so that saving it keeps nothing old", async () => {
  const own = await newCompany();
  const addYear = async (year: number) => {
    const content = `---\nyear: ${year}\nregion: EU\n---\n\nThe tariff of ${year}.`;
    const [accepted] = await addAndIngest(own, document("tariff", content));
    return getSource(own, SYSTEM_ACTOR, accepted?.id ?? "", { page: 1, chunkId: null });
  };
  const { id } = await addYear(2025);
  await relabelSource(own, SYSTEM_ACTOR, id, { metadata: { region: "UK" } });
  const shown = await getSource(own, SYSTEM_ACTOR, id, { page: 1, chunkId: null });
  expect(shown).toMatchObject({ metadata: { region: "UK", year: 2025 }, readMetadata: { year: 2025 } });
  expect(shown.givenMetadata).toEqual({ region: "UK" });

  const saved = await relabelSource(own, SYSTEM_ACTOR, id, { metadata: shown.givenMetadata });
  expect(saved).toMatchObject({ unchanged: true, changes: [] });
  expect((await addYear(2026)).metadata).toEqual({ region: "UK", year: 2026 });
});

test("a source shows its chunks in reading order, on the page with the requested chunk", async () => {
  const own = await newCompany();
  const text = Array.from({ length: 75 }, (_, n) => {
    const sentence = `Sentence ${n + 1} of ${n < 10 ? "it" : "them"}. `;
    return `# Part ${n + 1}\n\n${sentence.repeat(40)}`;
  });
  const [accepted] = await addAndIngest(own, document("long", text.join("\n\n")));
  const id = accepted?.id ?? "";
  const first = await getSource(own, SYSTEM_ACTOR, id, { page: 1, chunkId: null });
  expect(first.chunks.map(({ position }) => position)).toEqual(first.chunks.map((_, index) => index));
  expect(first.chunks[0]).toMatchObject({ headings: ["Part 1"] });
  const last = await getSource(own, SYSTEM_ACTOR, id, { page: 99, chunkId: null });
  expect(last.page).toBe(2);
  const chunkId = last.chunks.at(-1)?.id ?? "";
  expect(await getSource(own, SYSTEM_ACTOR, id, { page: 1, chunkId })).toMatchObject({ page: 2 });
  const { place, neighbours, source } = await getChunk(own, SYSTEM_ACTOR, chunkId);
  expect(source).toMatchObject({ id, sourceId: "long" });
  const { position } = last.chunks.at(-1) ?? { position: -1 };
  expect(place).toMatchObject({ position, isServed: true, version: { number: 1, chunkCount: position + 1 } });
  expect(neighbours.map((each) => each.position)).toEqual([position - 2, position - 1, position]);
  const found = await getSource(own, SYSTEM_ACTOR, id, { page: 1, chunkId: null, search: "SENTENCE 55" });
  expect(found).toMatchObject({ found: found.chunks.length, chunks: [{ headings: ["Part 55"] }] });
  const middle = last.chunks[5]?.id ?? "";
  const some = await getSource(own, SYSTEM_ACTOR, id, { page: 1, chunkId: middle, search: "them" });
  expect(some.found).toBeGreaterThan(some.chunks.length);
  expect(some.chunks.map((chunk) => chunk.id)).toContain(middle);
  await expect(originalOf(own, SYSTEM_ACTOR, id)).rejects.toMatchObject({ error: "NotFound" });
});

test("the original downloads unchanged", async () => {
  const own = await newCompany();
  const bytes = Buffer.from("# Title\n\nText.");
  const [file] = await addFiles(own, SYSTEM_ACTOR, [{ sourceId: "folder/read me.md", bytes }]);
  const original = await originalOf(own, SYSTEM_ACTOR, file?.id ?? "");
  expect({ name: original.name, text: await text(original.stream) }).toEqual({
    name: "read me.md",
    text: bytes.toString(),
  });
});

test("an original that is missing after a backup was restored is not found", async () => {
  const own = await newCompany();
  const bytes = Buffer.from("Text.");
  const [file] = await addFiles(own, SYSTEM_ACTOR, [{ sourceId: "lost.md", bytes }]);
  await objectStore().deleteAll(own.companyId);
  const download = originalOf(own, SYSTEM_ACTOR, file?.id ?? "");
  await expect(download).rejects.toMatchObject({ error: "NotFound", message: "Original not found" });
});

test("support members cannot change anything", async () => {
  const { actor } = await testMember(scope, "support");
  const [row] = (await browse({})).rows;
  const id = row?.id ?? "";
  for (const change of [
    () => addSources(scope, actor, []),
    () => addFiles(scope, actor, [{ sourceId: "x.md", bytes: Buffer.from("x") }]),
    () => deleteSources(scope, actor, [id]),
    () => restoreSources(scope, actor, [id]),
    () => reindexSources(scope, actor, [id]),
    () => relabelSource(scope, actor, id, { audience: [] }),
  ]) {
    await expect(change()).rejects.toMatchObject({ error: "Forbidden" });
  }
});

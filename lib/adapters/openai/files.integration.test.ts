import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany, work } from "../../testing/knowledge.ts";
import { apiErrorOf, openaiCompany, storeOf, textFile } from "../../testing/openai-client.ts";
import { runWorker } from "../../worker/worker.ts";

testDatabase();
const api = openaiCompany(startApiServer);

/** Runs a worker of the company for as long as the work takes. */
async function beside<Result>(run: () => Promise<Result>, of = api.scope): Promise<Result> {
  const stop = new AbortController();
  const worker = runWorker({ signal: stop.signal, companyId: of.companyId });
  return run().finally(() => {
    stop.abort();
    return worker;
  });
}

describe("a file", () => {
  it("is found by a search after uploadAndPoll, under the id of its upload", async () => {
    const openai = await api.client();
    const uploaded = await beside(async () =>
      openai.vectorStores.files.uploadAndPoll(
        api.store,
        await textFile("hail.md", "# Hail\n\nHail damage is paid in May."),
        {
          pollIntervalMs: 50,
        },
      ),
    );
    expect(uploaded).toMatchObject({ object: "vector_store.file", status: "completed", last_error: null });
    const { data } = await openai.vectorStores.search(api.store, { query: "When is hail damage paid?" });
    expect(data[0]).toMatchObject({ file_id: uploaded.id, filename: "hail.md" });
    expect(await openai.files.retrieve(uploaded.id)).toMatchObject({ filename: "hail.md", status: "processed" });
  });

  it("is held until it is attached by createAndPoll, with attributes as labels and metadata", async () => {
    const openai = await api.client();
    const held = await openai.files.create({
      file: await textFile("frost.md", "Frost closes the road."),
      purpose: "user_data",
    });
    expect(held).toMatchObject({ object: "file", bytes: 22, filename: "frost.md", purpose: "user_data" });
    expect((held.expires_at ?? 0) - held.created_at).toBe(3_600);
    expect((await openai.files.list()).data.map(({ id }) => id)).toEqual([held.id]);
    expect(await openai.files.retrieve(held.id)).toEqual(held);
    const attributes = {
      path: "Roads/Winter",
      audience: "staff, drivers",
      content_category: "road",
      region: "EU",
      year: 2024,
    };
    const attached = await beside(() =>
      openai.vectorStores.files.createAndPoll(
        api.store,
        { file_id: held.id, attributes: { ...attributes, source_id: "roads/frost" } },
        { pollIntervalMs: 50 },
      ),
    );
    expect(attached).toMatchObject({ id: held.id, status: "completed" });
    expect(attached.attributes).toMatchObject({ ...attributes, source_id: "roads/frost", source_type: "document" });
    expect((await openai.files.list()).data).toEqual([]);
    const filters = { type: "eq" as const, key: "region", value: "EU" };
    const { data } = await openai.vectorStores.search(api.store, { query: "frost", filters });
    expect(data[0]?.file_id).toBe(held.id);
  });

  it("replaces the one with the same name, whose id it gets", async () => {
    const openai = await api.client();
    const first = await api.attach(openai, "rain.md", "It rains in June.", { region: "north" });
    const second = await api.attach(openai, "rain.md", "It rains in July.");
    await work(api.scope);
    expect(second.id).toBe(first.id);
    const content = await openai.vectorStores.files.content(first.id, { vector_store_id: api.store });
    expect(content.data).toEqual([{ type: "text", text: "It rains in July." }]);
  });

  it("can be attached again, which changes its attributes only", async () => {
    const openai = await api.client();
    const { id } = await api.attach(openai, "snow.md", "Snow is cleared at night.");
    const again = await openai.vectorStores.files.create(api.store, { file_id: id, attributes: { region: "south" } });
    expect(again).toMatchObject({ id, attributes: { region: "south" } });
  });

  it.each([
    ["new", undefined],
    ["existing", "It thaws in April."],
  ])("attached several times together answers 200 both times, as one %s source", async (name, before) => {
    const openai = await api.client();
    const known = before && (await api.attach(openai, `thaw-${name}.md`, before));
    const { id } = await openai.files.create({
      file: await textFile(`thaw-${name}.md`, "March."),
      purpose: "assistants",
    });
    const body = { file_id: id, attributes: { region: "north" } };
    const attached = await Promise.all(
      Array.from({ length: 6 }, () => openai.vectorStores.files.create(api.store, body)),
    );
    const expected = known ? known.id : id;
    expect(attached).toMatchObject(attached.map(() => ({ id: expected, attributes: { region: "north" } })));
    const [versions] = await api.scope.transaction((tx) =>
      tx.execute<{ count: number }>(sql`select count(*)::int from ragstone.source_versions
        where company_id = ${api.scope.companyId} and body ->> 'fileName' = ${`thaw-${name}.md`}`),
    );
    expect(versions?.count).toBe(known ? 2 : 1);
    // the response of the first call may be lost, and the client repeats it much later
    await work(api.scope);
    expect((await openai.vectorStores.files.create(api.store, body)).id).toBe(expected);
    expect((await openai.files.list()).data).toEqual([]);
  });

  it("says why it cannot be read", async () => {
    const openai = await api.client();
    const { id } = await api.attach(openai, "empty.txt", " ");
    await work(api.scope);
    expect(await openai.vectorStores.files.retrieve(id, { vector_store_id: api.store })).toMatchObject({
      status: "failed",
      last_error: { code: "invalid_file", message: "The file is empty." },
    });
    expect(await openai.files.retrieve(id)).toMatchObject({ status: "error" });
  });

  it("keeps reading metadata from its content after other attributes were sent back", async () => {
    const openai = await api.client();
    const where = { vector_store_id: api.store };
    const addYear = async (year: number) => {
      const [source] = await addAndIngest(
        api.scope,
        document("tariff", `---\nyear: ${year}\n---\n\nThe tariff of ${year}.`),
      );
      return openai.vectorStores.files.retrieve(`file-${source?.id.replaceAll("-", "")}`, where);
    };
    const { id, attributes } = await addYear(2025);
    await openai.vectorStores.files.update(id, { ...where, attributes: { ...attributes, region: "EU" } });
    await work(api.scope);
    expect((await addYear(2026)).attributes).toMatchObject({ region: "EU", year: 2026 });
    const replaced = await openai.vectorStores.files.update(id, { ...where, attributes: { year: 1999 } });
    expect(replaced.attributes).toMatchObject({ year: 1999 });
  });

  it("gets other attributes, and keeps what attributes cannot show", async () => {
    const openai = await api.client();
    const tags = ["a", "b"];
    const labels = { path: ["a/b", "c"], metadata: { region: "EU", year: 2023, title: "Own", tags } };
    const [source] = await addAndIngest(api.scope, document("storms", "Storms come in autumn.", labels));
    const id = `file-${source?.id.replaceAll("-", "")}`;
    const where = { vector_store_id: api.store };
    const before = await openai.vectorStores.files.retrieve(id, where);
    const changed = await openai.vectorStores.files.update(id, {
      ...where,
      attributes: { ...before.attributes, region: "UK", year: 2024 },
    });
    expect(changed.attributes).toEqual({ ...before.attributes, region: "UK", year: 2024 });
    const [version] = await api.scope.transaction((tx) =>
      tx.execute<{ metadata: object; path: string }>(sql`select metadata, to_jsonb(path) as path
        from ragstone.source_versions join ragstone.sources using (company_id)
        where company_id = ${api.scope.companyId} and latest_version_id = source_versions.id and sources.id = ${source?.id}`),
    );
    expect(version).toEqual({ metadata: { region: "UK", year: 2024, title: "Own", tags }, path: ["a/b", "c"] });
    const less = await openai.vectorStores.files.update(id, { ...where, attributes: { region: "UK" } });
    expect(less.attributes).not.toHaveProperty("year");
    expect(less.attributes).toMatchObject({ path: "a/b/c", region: "UK" });
    const update = openai.vectorStores.files.update(id, { ...where, attributes: { source_id: "other" } });
    expect(await apiErrorOf(update)).toMatchObject({ status: 400, param: "attributes.source_id" });
  });

  it("is no longer found when it is detached or deleted", async () => {
    const openai = await api.client();
    const detached = await api.attach(openai, "wind.md", "Wind turns the mill.");
    const deleted = await api.attach(openai, "gale.md", "A gale stops the mill.");
    await work(api.scope);
    expect(await openai.vectorStores.files.delete(detached.id, { vector_store_id: api.store })).toEqual({
      ...{ id: detached.id, object: "vector_store.file.deleted", deleted: true },
    });
    expect(await openai.files.delete(deleted.id)).toEqual({ id: deleted.id, object: "file", deleted: true });
    for (const { id } of [detached, deleted]) expect((await apiErrorOf(openai.files.retrieve(id))).status).toBe(404);
    const { data } = await openai.vectorStores.search(api.store, { query: "What about the mill?" });
    expect(data.map(({ file_id }) => file_id)).not.toEqual(expect.arrayContaining([detached.id]));
    expect(data.map(({ file_id }) => file_id)).not.toEqual(expect.arrayContaining([deleted.id]));
  });
});

describe("the policy of a key", () => {
  it("binds attaching, updating and deleting", async () => {
    const bound = await api.client({ policy: { audience: ["public"], path: ["Open"] } });
    const refused = await apiErrorOf(api.attach(bound, "a.md", "Secret.", { audience: "staff" }));
    expect(refused).toMatchObject({
      status: 403,
      code: "forbidden",
      message: expect.stringMatching(/audience: "staff"/),
    });
    const { id, attributes } = await api.attach(bound, "b.md", "Open.");
    expect(attributes).toMatchObject({ audience: "public", path: "Open" });
    const where = { vector_store_id: api.store };
    const update = bound.vectorStores.files.update(id, { ...where, attributes: { path: "Closed" } });
    expect((await apiErrorOf(update)).status).toBe(403);
    const hidden = await api.attach(await api.client(), "c.md", "Hidden.");
    await work(api.scope);
    for (const run of [
      () => bound.files.retrieve(hidden.id),
      () => bound.files.delete(hidden.id),
      () => bound.vectorStores.files.update(hidden.id, { ...where, attributes: { x: 1 } }),
      () => bound.vectorStores.files.delete(hidden.id, where),
      () => bound.vectorStores.files.create(api.store, { file_id: hidden.id, attributes: { x: 1 } }),
    ]) {
      expect((await apiErrorOf(run())).status).toBe(404);
    }
  });

  it("keeps companies apart", async () => {
    const other = await newCompany("Sur Energy");
    const stranger = await api.client({ of: other });
    const openai = await api.client();
    const held = await openai.files.create({ file: await textFile("own.md", "Own."), purpose: "assistants" });
    const { id } = await api.attach(openai, "attached.md", "Attached.");
    const own = { vector_store_id: storeOf(other) };
    for (const run of [
      () => stranger.files.retrieve(held.id),
      () => stranger.files.delete(id),
      () => stranger.vectorStores.files.create(own.vector_store_id, { file_id: held.id }),
      () => stranger.vectorStores.files.create(api.store, { file_id: held.id }),
      () => stranger.vectorStores.files.update(id, { ...own, attributes: { x: 1 } }),
      () => stranger.vectorStores.files.delete(id, { vector_store_id: api.store }),
    ]) {
      expect((await apiErrorOf(run())).status).toBe(404);
    }
    expect(await openai.files.retrieve(held.id)).toEqual(held);
  });
});

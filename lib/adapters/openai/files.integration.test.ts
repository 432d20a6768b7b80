import { sql } from "drizzle-orm";
import OpenAI, { APIError, toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import type { CreateKeyInput } from "../../api-keys/schema.ts";
import { createKey } from "../../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { connection } from "../../db/client.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { originalKey } from "../../knowledge/original-key.ts";
import { objectStore } from "../../storage/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, learn, newCompany, work } from "../../testing/knowledge.ts";
import { runWorker } from "../../worker/worker.ts";
import { vectorStoreId } from "./ids.ts";

testDatabase();

let web: WebServer;
let scope: TenantScope;
let store: string;
beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany("Norte Energy");
  store = vectorStoreId(scope.companyId);
});
afterAll(() => web.close(0));

type Key = Partial<CreateKeyInput> & { of?: TenantScope };

async function client({ of = scope, ...input }: Key = {}): Promise<OpenAI> {
  const scopes: CreateKeyInput["scopes"] = ["retrieve", "manage"];
  const { token } = await createKey(of, SYSTEM_ACTOR, { name: "OpenAI", scopes, rateLimitPerMinute: 0, ...input });
  return new OpenAI({ apiKey: token, baseURL: `${web.address()}/v1/api/openai`, maxRetries: 0 });
}

function file(name: string, text: string) {
  return toFile(Buffer.from(text), name);
}

/** Runs a worker of the company for as long as the work takes. */
async function beside<Result>(run: () => Promise<Result>, of = scope): Promise<Result> {
  const stop = new AbortController();
  const worker = runWorker({ signal: stop.signal, companyId: of.companyId });
  return run().finally(() => {
    stop.abort();
    return worker;
  });
}

async function errorOf(run: Promise<unknown>) {
  const error = await run.catch((thrown: unknown) => thrown);
  if (!(error instanceof APIError)) throw new Error("expected an error of the API", { cause: error });
  const { status, code, param, message } = error;
  return { status, code, param, message };
}

/** Uploads and attaches, without waiting. */
async function attach(openai: OpenAI, name: string, text: string, attributes: Record<string, string> = {}) {
  const { id } = await openai.files.create({ file: await file(name, text), purpose: "assistants" });
  return openai.vectorStores.files.create(store, { file_id: id, attributes });
}

describe("a file", () => {
  it("is found by a search after uploadAndPoll, under the id of its upload", async () => {
    const openai = await client();
    const uploaded = await beside(async () =>
      openai.vectorStores.files.uploadAndPoll(store, await file("hail.md", "# Hail\n\nHail damage is paid in May."), {
        pollIntervalMs: 50,
      }),
    );
    expect(uploaded).toMatchObject({ object: "vector_store.file", status: "completed", last_error: null });
    const { data } = await openai.vectorStores.search(store, { query: "When is hail damage paid?" });
    expect(data[0]).toMatchObject({ file_id: uploaded.id, filename: "hail.md" });
    expect(await openai.files.retrieve(uploaded.id)).toMatchObject({ filename: "hail.md", status: "processed" });
  });

  it("is held until it is attached by createAndPoll, with attributes as labels and metadata", async () => {
    const openai = await client();
    const held = await openai.files.create({
      file: await file("frost.md", "Frost closes the road."),
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
        store,
        { file_id: held.id, attributes: { ...attributes, source_id: "roads/frost" } },
        { pollIntervalMs: 50 },
      ),
    );
    expect(attached).toMatchObject({ id: held.id, status: "completed" });
    expect(attached.attributes).toMatchObject({ ...attributes, source_id: "roads/frost", source_type: "document" });
    expect((await openai.files.list()).data).toEqual([]);
    const filters = { type: "eq" as const, key: "region", value: "EU" };
    const { data } = await openai.vectorStores.search(store, { query: "frost", filters });
    expect(data[0]?.file_id).toBe(held.id);
  });

  it("replaces the one with the same name, whose id it gets", async () => {
    const openai = await client();
    const first = await attach(openai, "rain.md", "It rains in June.", { region: "north" });
    const second = await attach(openai, "rain.md", "It rains in July.");
    await work(scope);
    expect(second.id).toBe(first.id);
    const content = await openai.vectorStores.files.content(first.id, { vector_store_id: store });
    expect(content.data).toEqual([{ type: "text", text: "It rains in July." }]);
  });

  it("can be attached again, which changes its attributes only", async () => {
    const openai = await client();
    const { id } = await attach(openai, "snow.md", "Snow is cleared at night.");
    const again = await openai.vectorStores.files.create(store, { file_id: id, attributes: { region: "south" } });
    expect(again).toMatchObject({ id, attributes: { region: "south" } });
  });

  it.each([
    ["new", undefined],
    ["known", "It thaws in April."],
  ])("attached twice at once answers 200 both times, as one %s source", async (name, before) => {
    const openai = await client();
    const known = before && (await attach(openai, `thaw-${name}.md`, before));
    const { id } = await openai.files.create({ file: await file(`thaw-${name}.md`, "March."), purpose: "assistants" });
    const body = { file_id: id, attributes: { region: "north" } };
    const attached = await Promise.all(Array.from({ length: 6 }, () => openai.vectorStores.files.create(store, body)));
    const expected = known ? known.id : id;
    expect(attached).toMatchObject(attached.map(() => ({ id: expected, attributes: { region: "north" } })));
    const [versions] = await scope.transaction((tx) =>
      tx.execute<{ count: number }>(sql`select count(*)::int from ragstone.source_versions
        where body ->> 'fileName' = ${`thaw-${name}.md`}`),
    );
    expect(versions?.count).toBe(known ? 2 : 1);
    // the response of the first call may be lost, and the client repeats it much later
    await work(scope);
    expect((await openai.vectorStores.files.create(store, body)).id).toBe(expected);
    expect((await openai.files.list()).data).toEqual([]);
  });

  it("says why it cannot be read", async () => {
    const openai = await client();
    const { id } = await attach(openai, "empty.txt", " ");
    await work(scope);
    expect(await openai.vectorStores.files.retrieve(id, { vector_store_id: store })).toMatchObject({
      status: "failed",
      last_error: { code: "invalid_file", message: "The file is empty." },
    });
    expect(await openai.files.retrieve(id)).toMatchObject({ status: "error" });
  });

  it("gets other attributes, and keeps what attributes cannot show", async () => {
    const openai = await client();
    const tags = ["a", "b"];
    const labels = { path: ["a/b", "c"], metadata: { region: "EU", year: 2023, title: "Own", tags } };
    const [source] = await learn(scope, document("storms", "Storms come in autumn.", labels));
    const id = `file-${source?.id.replaceAll("-", "")}`;
    const where = { vector_store_id: store };
    const before = await openai.vectorStores.files.retrieve(id, where);
    const changed = await openai.vectorStores.files.update(id, {
      ...where,
      attributes: { ...before.attributes, region: "UK", year: 2024 },
    });
    expect(changed.attributes).toEqual({ ...before.attributes, region: "UK", year: 2024 });
    const [version] = await scope.transaction((tx) =>
      tx.execute<{ metadata: object; path: string }>(sql`select metadata, to_jsonb(path) as path
        from ragstone.source_versions join ragstone.sources on latest_version_id = source_versions.id
        where sources.id = ${source?.id}`),
    );
    expect(version).toEqual({ metadata: { region: "UK", year: 2024, title: "Own", tags }, path: ["a/b", "c"] });
    const less = await openai.vectorStores.files.update(id, { ...where, attributes: { region: "UK" } });
    expect(less.attributes).not.toHaveProperty("year");
    expect(less.attributes).toMatchObject({ path: "a/b/c", region: "UK" });
    const update = openai.vectorStores.files.update(id, { ...where, attributes: { source_id: "other" } });
    expect(await errorOf(update)).toMatchObject({ status: 400, param: "attributes.source_id" });
  });

  it("is no longer found when it is detached or deleted", async () => {
    const openai = await client();
    const detached = await attach(openai, "wind.md", "Wind turns the mill.");
    const deleted = await attach(openai, "gale.md", "A gale stops the mill.");
    await work(scope);
    expect(await openai.vectorStores.files.delete(detached.id, { vector_store_id: store })).toEqual({
      ...{ id: detached.id, object: "vector_store.file.deleted", deleted: true },
    });
    expect(await openai.files.delete(deleted.id)).toEqual({ id: deleted.id, object: "file", deleted: true });
    for (const { id } of [detached, deleted]) expect((await errorOf(openai.files.retrieve(id))).status).toBe(404);
    const { data } = await openai.vectorStores.search(store, { query: "What about the mill?" });
    expect(data.map(({ file_id }) => file_id)).not.toEqual(expect.arrayContaining([detached.id]));
    expect(data.map(({ file_id }) => file_id)).not.toEqual(expect.arrayContaining([deleted.id]));
  });
});

describe("a held upload", () => {
  const storedOf = async (text: string) => {
    const [row] = await connection().db.execute<{ key: string }>(
      sql`select encode(sha256(convert_to(${text}, 'UTF8')), 'hex') as key`,
    );
    return objectStore().has(originalKey(scope.companyId, row?.key ?? ""));
  };
  const expire = (minutes: number) =>
    scope.transaction((tx) =>
      tx.execute(sql`update ragstone.held_uploads set expires_at = now() - make_interval(mins => ${minutes})`),
    );
  const maintain = async () => {
    await connection().db.execute(
      sql`insert into ragstone.jobs (company_id, kind, lane) values (${scope.companyId}, 'maintain', 'quick')`,
    );
    await work(scope);
  };

  it("is deleted with its file, unless a source uses the same file", async () => {
    const openai = await client();
    await attach(openai, "shared.md", "Shared text.");
    const hold = async (name: string, text: string) =>
      openai.files.create({ file: await file(name, text), purpose: "assistants" });
    const [alone, shared] = [await hold("alone.md", "Alone."), await hold("copy.md", "Shared text.")];
    await openai.files.delete(alone.id);
    await openai.files.delete(shared.id);
    expect([await storedOf("Alone."), await storedOf("Shared text.")]).toEqual([false, true]);
    expect((await errorOf(openai.files.delete(alone.id))).status).toBe(404);
  });

  it("expires: first nobody can use it, then its file is deleted", async () => {
    const openai = await client();
    const { id } = await openai.files.create({ file: await file("late.md", "Too late."), purpose: "assistants" });
    await expire(1);
    expect((await errorOf(openai.files.retrieve(id))).status).toBe(404);
    expect((await errorOf(openai.vectorStores.files.create(store, { file_id: id }))).status).toBe(404);
    await maintain();
    expect(await storedOf("Too late.")).toBe(true);
    await expire(11);
    await maintain();
    expect(await storedOf("Too late.")).toBe(false);
  });

  it("is listed page by page", async () => {
    const openai = await client();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await openai.files.create({ file: await file(`${n}.md`, `Text ${n}`), purpose: "assistants" })).id);
    }
    const listed: string[] = [];
    for await (const { id } of openai.files.list({ order: "asc", limit: 2 })) listed.push(id);
    expect(listed).toEqual(ids);
    const newest = await openai.files.list({ limit: 2 });
    expect(newest.data.map(({ id }) => id)).toEqual(ids.slice(-2).reverse());
  });

  it("belongs to its key", async () => {
    const { id } = await (await client()).files.create({ file: await file("mine.md", "Mine."), purpose: "assistants" });
    const colleague = await client();
    expect((await errorOf(colleague.files.retrieve(id))).status).toBe(404);
    expect((await errorOf(colleague.files.delete(id))).status).toBe(404);
    expect((await errorOf(colleague.vectorStores.files.create(store, { file_id: id }))).status).toBe(404);
    expect((await colleague.files.list()).data).toEqual([]);
  });

  it.each<[string, RequestInit, string, RegExp]>([
    ["a body that is no form", { body: "text" }, "file", /must be a string/],
    ["a form without a purpose", { body: form("a.md") }, "purpose", /must be a string/],
    ["a form without a file name", { body: form("", "assistants") }, "file", /must not be empty/],
  ])("%s is refused", async (_, init, param, message) => {
    const { apiKey } = await client();
    const headers = { Authorization: `Bearer ${apiKey}`, ...init.headers };
    const response = await fetch(`${web.address()}/v1/api/openai/files`, { method: "POST", ...init, headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { type: "invalid_request_error", code: null, param, message: expect.stringMatching(message) },
    });
  });
});

function form(fileName: string, purpose?: string): FormData {
  const body = new FormData();
  if (purpose) body.set("purpose", purpose);
  body.set("file", new Blob(["x"]), fileName);
  return body;
}

describe("the policy of a key", () => {
  it("binds attaching, updating and deleting", async () => {
    const bound = await client({ policy: { audience: ["public"], path: ["Open"] } });
    const refused = await errorOf(attach(bound, "a.md", "Secret.", { audience: "staff" }));
    expect(refused).toMatchObject({
      status: 403,
      code: "forbidden",
      message: expect.stringMatching(/audience: "staff"/),
    });
    const { id, attributes } = await attach(bound, "b.md", "Open.");
    expect(attributes).toMatchObject({ audience: "public", path: "Open" });
    const where = { vector_store_id: store };
    const update = bound.vectorStores.files.update(id, { ...where, attributes: { path: "Closed" } });
    expect((await errorOf(update)).status).toBe(403);
    const hidden = await attach(await client(), "c.md", "Hidden.");
    await work(scope);
    for (const run of [
      () => bound.files.retrieve(hidden.id),
      () => bound.files.delete(hidden.id),
      () => bound.vectorStores.files.update(hidden.id, { ...where, attributes: { x: 1 } }),
      () => bound.vectorStores.files.delete(hidden.id, where),
      () => bound.vectorStores.files.create(store, { file_id: hidden.id, attributes: { x: 1 } }),
    ]) {
      expect((await errorOf(run())).status).toBe(404);
    }
  });

  it("keeps companies apart", async () => {
    const other = await newCompany("Sur Energy");
    const stranger = await client({ of: other });
    const openai = await client();
    const held = await openai.files.create({ file: await file("own.md", "Own."), purpose: "assistants" });
    const { id } = await attach(openai, "attached.md", "Attached.");
    const own = { vector_store_id: vectorStoreId(other.companyId) };
    for (const run of [
      () => stranger.files.retrieve(held.id),
      () => stranger.files.delete(id),
      () => stranger.vectorStores.files.create(own.vector_store_id, { file_id: held.id }),
      () => stranger.vectorStores.files.create(store, { file_id: held.id }),
      () => stranger.vectorStores.files.update(id, { ...own, attributes: { x: 1 } }),
      () => stranger.vectorStores.files.delete(id, { vector_store_id: store }),
    ]) {
      expect((await errorOf(run())).status).toBe(404);
    }
    expect(await openai.files.retrieve(held.id)).toEqual(held);
  });
});

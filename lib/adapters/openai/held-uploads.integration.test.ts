import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import { connection } from "../../db/client.ts";
import { originalKey } from "../../knowledge/original-key.ts";
import { objectStore } from "../../storage/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany, work } from "../../testing/knowledge.ts";
import { apiErrorOf, openaiCompany, textFile } from "../../testing/openai-client.ts";

testDatabase();
const api = openaiCompany(startApiServer);

function form(fileName: string, purpose?: string): FormData {
  const body = new FormData();
  if (purpose) body.set("purpose", purpose);
  body.set("file", new Blob(["x"]), fileName);
  return body;
}

describe("a held upload", () => {
  const storedOf = async (text: string) => {
    const [row] = await connection().db.execute<{ key: string }>(
      sql`select encode(sha256(convert_to(${text}, 'UTF8')), 'hex') as key`,
    );
    return objectStore().has(originalKey(api.scope.companyId, row?.key ?? ""));
  };
  const expire = (minutes: number) =>
    api.scope.transaction((tx) =>
      tx.execute(sql`update ragstone.held_uploads set expires_at = now() - make_interval(mins => ${minutes})
        where company_id = ${api.scope.companyId}`),
    );
  const maintain = async () => {
    await connection().db.execute(
      sql`insert into ragstone.jobs (company_id, kind, lane) values (${api.scope.companyId}, 'maintain', 'quick')`,
    );
    await work(api.scope);
  };

  it("is deleted with its file, unless a source uses the same file", async () => {
    const openai = await api.client();
    await api.attach(openai, "shared.md", "Shared text.");
    const hold = async (name: string, text: string) =>
      openai.files.create({ file: await textFile(name, text), purpose: "assistants" });
    const [alone, shared] = [await hold("alone.md", "Alone."), await hold("copy.md", "Shared text.")];
    await openai.files.delete(alone.id);
    await openai.files.delete(shared.id);
    expect([await storedOf("Alone."), await storedOf("Shared text.")]).toEqual([false, true]);
    expect((await apiErrorOf(openai.files.delete(alone.id))).status).toBe(404);
  });

  it("expires: first nobody can use it, then its file is deleted", async () => {
    const openai = await api.client();
    const { id } = await openai.files.create({ file: await textFile("late.md", "Too late."), purpose: "assistants" });
    await expire(1);
    expect((await apiErrorOf(openai.files.retrieve(id))).status).toBe(404);
    expect((await apiErrorOf(openai.vectorStores.files.create(api.store, { file_id: id }))).status).toBe(404);
    await maintain();
    expect(await storedOf("Too late.")).toBe(true);
    await expire(11);
    await maintain();
    expect(await storedOf("Too late.")).toBe(false);
  });

  it("counts towards the limit of files that are not attached until it expires", async () => {
    const of = await newCompany();
    await of.transaction((tx) =>
      tx.execute(sql`insert into ragstone.held_uploads
        (company_id, file_name, purpose, storage_key, bytes, sha256, expires_at)
        select ${of.companyId}, 'held.md', 'assistants', ${`${of.companyId}/0`}, 1, '0', now() + interval '1 minute'
        from generate_series(1, 500)`),
    );
    const openai = await api.client({ of });
    const upload = async () =>
      openai.files.create({ file: await textFile("one-more.md", "One more."), purpose: "assistants" });
    expect(await apiErrorOf(upload())).toMatchObject({ status: 400, message: expect.stringMatching(/500 files/) });
    await of.transaction((tx) =>
      tx.execute(sql`update ragstone.held_uploads set expires_at = now() where company_id = ${of.companyId}`),
    );
    expect((await upload()).filename).toBe("one-more.md");
  });

  it("is listed page by page", async () => {
    const openai = await api.client();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await openai.files.create({ file: await textFile(`${n}.md`, `Text ${n}`), purpose: "assistants" })).id);
    }
    const listed: string[] = [];
    for await (const { id } of openai.files.list({ order: "asc", limit: 2 })) listed.push(id);
    expect(listed).toEqual(ids);
    const newest = await openai.files.list({ limit: 2 });
    expect(newest.data.map(({ id }) => id)).toEqual(ids.slice(-2).reverse());
  });

  it.each(["asc", "desc"] as const)("is listed page by page (%s) while each is deleted", async (order) => {
    const openai = await api.client();
    for (let n = 0; n < 5; n++) {
      await openai.files.create({ file: await textFile(`${n}.md`, `Text ${n}`), purpose: "assistants" });
    }
    for await (const { id } of openai.files.list({ order, limit: 2 })) await openai.files.delete(id);
    expect((await openai.files.list()).data).toEqual([]);
  });

  it("that replaces an existing file is still found by its own id, which the Python package polls", async () => {
    const openai = await api.client();
    const { files } = openai.vectorStores;
    const where = { vector_store_id: api.store };
    const { id } = await api.attach(openai, "sleet.md", "Sleet falls in June.");
    const file = await textFile("sleet.md", "Sleet falls in July.");
    const upload = await openai.files.create({ file, purpose: "assistants" });
    await files.create(api.store, { file_id: upload.id });
    await work(api.scope);
    expect(await files.poll(api.store, upload.id)).toMatchObject({ id, status: "completed" });
    expect(await openai.files.retrieve(upload.id)).toMatchObject({ id, status: "processed" });
    const { data } = await files.content(upload.id, where);
    expect(data).toEqual([{ type: "text", text: "Sleet falls in July." }]);
    const attributes = { region: "west" };
    expect(await files.update(upload.id, { ...where, attributes })).toMatchObject({ id, attributes });
    const colleague = await api.client();
    for (const run of [
      () => colleague.files.retrieve(upload.id),
      () => colleague.files.delete(upload.id),
      () => colleague.vectorStores.files.retrieve(upload.id, where),
      () => colleague.vectorStores.files.content(upload.id, where),
      () => colleague.vectorStores.files.update(upload.id, { ...where, attributes }),
      () => colleague.vectorStores.files.delete(upload.id, where),
    ]) {
      expect((await apiErrorOf(run())).status).toBe(404);
    }
    const newer = await openai.files.create({
      file: await textFile("sleet.md", "Sleet falls in May."),
      purpose: "assistants",
    });
    await files.create(api.store, { file_id: newer.id });
    expect((await apiErrorOf(files.delete(upload.id, where))).status).toBe(404);
    await files.delete(newer.id, where);
    expect((await apiErrorOf(files.retrieve(id, where))).status).toBe(404);
    expect((await apiErrorOf(openai.files.delete(upload.id))).status).toBe(404);
  });

  it("belongs to its key", async () => {
    const { id } = await (await api.client()).files.create({
      file: await textFile("mine.md", "Mine."),
      purpose: "assistants",
    });
    const colleague = await api.client();
    expect((await apiErrorOf(colleague.files.retrieve(id))).status).toBe(404);
    expect((await apiErrorOf(colleague.files.delete(id))).status).toBe(404);
    expect((await apiErrorOf(colleague.vectorStores.files.create(api.store, { file_id: id }))).status).toBe(404);
    expect((await colleague.files.list()).data).toEqual([]);
  });

  it.each<[string, RequestInit, string, RegExp]>([
    ["a body that is not a form", { body: "text" }, "file", /must be a string/],
    ["a form without a purpose", { body: form("a.md") }, "purpose", /must be a string/],
    ["a form without a file name", { body: form("", "assistants") }, "file", /must not be empty/],
  ])("%s is refused", async (_, init, param, message) => {
    const { apiKey } = await api.client();
    const headers = { Authorization: `Bearer ${apiKey}`, ...init.headers };
    const response = await fetch(`${api.address}/v1/api/openai/files`, { method: "POST", ...init, headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { type: "invalid_request_error", code: null, param, message: expect.stringMatching(message) },
    });
  });
});

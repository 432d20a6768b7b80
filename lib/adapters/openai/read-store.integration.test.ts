import { beforeAll, describe, expect, it } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { addSources } from "../../knowledge/intake/add.ts";
import { sourceInput } from "../../knowledge/intake/source-input.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { apiErrorOf, openaiCompany, storeOf } from "../../testing/openai-client.ts";

testDatabase();
const api = openaiCompany(startApiServer);

beforeAll(async () => {
  await addAndIngest(
    api.scope,
    document("eu", "In Europe a refund takes ten days."),
    document("us", "In America a refund takes a month.", {
      metadata: { region: "US", year: 2024 },
      audience: ["staff"],
    }),
    document("plain", "Refunds exist."),
  );
});

describe("a vector store", () => {
  it("shows one store with the counts that the key may see", async () => {
    const { data } = await (await api.client()).vectorStores.list();
    expect(data).toEqual([
      {
        ...{ id: api.store, object: "vector_store", name: "Norte Energy", status: "completed", metadata: {} },
        created_at: expect.any(Number),
        last_active_at: expect.any(Number),
        usage_bytes: expect.any(Number),
        file_counts: { in_progress: 0, completed: 3, failed: 0, cancelled: 0, total: 3 },
      },
    ]);
    const bound = await api.client({ policy: { audience: ["staff"] } });
    expect((await bound.vectorStores.retrieve(api.store)).file_counts.total).toBe(1);
    const nothing = await api.client({ policy: { audience: [] } });
    expect((await nothing.vectorStores.retrieve(api.store)).last_active_at).toBeNull();
  });

  it("reads a file and its text, within the policy", async () => {
    const openai = await api.client();
    const { data } = await openai.vectorStores.search(api.store, { query: "America", max_num_results: 1 });
    const file = data[0]?.file_id ?? "";
    expect(await openai.vectorStores.files.retrieve(file, { vector_store_id: api.store })).toMatchObject({
      ...{ id: file, object: "vector_store.file", vector_store_id: api.store, status: "completed", last_error: null },
      attributes: { source_id: "us", region: "US", year: 2024 },
    });
    const content = await openai.vectorStores.files.content(file, { vector_store_id: api.store });
    expect(content.data).toEqual([{ type: "text", text: "In America a refund takes a month." }]);
    const bound = await api.client({ policy: { audience: ["public"] } });
    const { files } = bound.vectorStores;
    expect((await apiErrorOf(files.retrieve(file, { vector_store_id: api.store }))).status).toBe(404);
    expect((await apiErrorOf(files.content(file, { vector_store_id: api.store }))).status).toBe(404);
  });

  it("says in OpenAI's form which calls do not exist", async () => {
    const openai = await api.client();
    for (const work of [
      () => openai.models.list(),
      () => openai.files.content("file-x"),
      () => openai.vectorStores.fileBatches.create(api.store, { file_ids: ["file-x"] }),
    ]) {
      expect(await apiErrorOf(work())).toMatchObject({
        ...{ status: 404, type: "invalid_request_error" },
        message: "404 Nothing exists at this path. See the API reference at /docs.",
      });
    }
  });

  it("pages over 250 files in both orders, and back", async () => {
    const many = await newCompany();
    const openai = await api.client({ of: many });
    const id = storeOf(many);
    for (let batch = 0; batch < 5; batch++) {
      const sources = Array.from({ length: 50 }, (_, i) => document(`${batch}-${i}`, `Text ${batch} ${i}`));
      await addSources(
        many,
        SYSTEM_ACTOR,
        sources.map((source) => sourceInput.parse(source)),
      );
    }
    const listed: string[] = [];
    for await (const file of openai.vectorStores.files.list(id, { limit: 60, order: "asc" })) {
      expect(file.status).toBe("in_progress");
      listed.push(file.id);
    }
    expect(new Set(listed).size).toBe(250);
    const newest = await openai.vectorStores.files.list(id, { limit: 3 });
    expect(newest.data.map((file) => file.id)).toEqual(listed.slice(-3).reverse());
    const before = await openai.vectorStores.files.list(id, { order: "asc", limit: 2, before: listed[10] ?? "" });
    expect(before.data.map((file) => file.id)).toEqual(listed.slice(8, 10));
    expect((await openai.vectorStores.files.list(id, { filter: "completed" })).data).toEqual([]);
    expect((await openai.vectorStores.files.list(id, { filter: "cancelled" })).data).toEqual([]);
    expect((await openai.vectorStores.files.list(id, { filter: "in_progress" })).data).toHaveLength(20);
    expect((await openai.vectorStores.retrieve(id)).status).toBe("in_progress");
    expect(await apiErrorOf(openai.vectorStores.files.list(id, { limit: 101 }))).toMatchObject({ param: "limit" });
    // a list that looks complete would end a sync
    for (const param of ["after", "before"]) {
      const unknown = openai.vectorStores.files.list(id, { [param]: `file-${"0".repeat(32)}` });
      expect(await apiErrorOf(unknown)).toMatchObject({ status: 404, param });
    }
    const last = await openai.vectorStores.files.list(id, { order: "asc", after: listed.at(-1) ?? "" });
    expect(last.data).toEqual([]);
  });
});

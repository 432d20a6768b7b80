import { expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { listedSource } from "../../knowledge/browse/page-sources.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, work } from "../../testing/knowledge.ts";
import { openaiCompany } from "../../testing/openai-client.ts";

testDatabase();
const api = openaiCompany(startApiServer);

test("a source keeps its metadata and its links when the attributes of a search result are sent back", async () => {
  const openai = await api.client();
  const metadata = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${10 + index}`, index]));
  const before = document("tides", "The tide is high at noon.", { metadata });
  const [source] = await addAndIngest(api.scope, before);
  const search = async () => {
    const page = await openai.vectorStores.search(api.store, { query: "When is the tide high?" });
    return page.data.find(({ attributes }) => attributes?.source_id === "tides");
  };
  const hit = await search();
  const attributes = { ...hit?.attributes, m10: 100 };
  await openai.vectorStores.files.update(hit?.file_id ?? "", { vector_store_id: api.store, attributes });
  await work(api.scope);
  expect((await search())?.attributes?.url).toBe(hit?.attributes?.url);
  const after = await listedSource(api.scope, SYSTEM_ACTOR, source?.id ?? "");
  expect(after.metadata).toEqual({ ...metadata, m10: 100 });
});

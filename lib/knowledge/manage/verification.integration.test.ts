import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { apiCaller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";

testDatabase();

let web: WebServer;
let scope: TenantScope;
let id: string;
let documentId: string;
const REFUND = { sourceType: "qa", sourceId: "refund", question: "How long does a refund take?", answer: "Ten days." };

beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany();
  const [answer, text] = await addAndIngest(
    scope,
    { ...REFUND, path: ["Billing"] },
    document("terms.md", "The notice period is 30 days."),
  );
  id = answer?.id ?? "";
  documentId = text?.id ?? "";
});
afterAll(() => web.close(0));

const caller = (options: object) => apiCaller(web.address(), scope, { scopes: ["retrieve", "manage"], ...options });

test("a key verifies an answer until a day, reads it, and withdraws it", async () => {
  const call = await caller({});
  const verified = await call("PUT", `/sources/${id}/verification`, { body: { until: "2999-12-31" } });
  expect(verified.status).toBe(200);
  const verification = { status: "verified", by: expect.any(String), at: expect.any(String), until: "2999-12-31" };
  expect(verified.body).toEqual({ id, sourceId: "refund", verification });
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ verification });
  expect((await call("GET", "/sources?verification=verified")).body).toMatchObject({ sources: [{ id, verification }] });
  expect((await call("GET", "/sources?verification=due")).body).toMatchObject({ sources: [] });

  const withdrawn = await call("DELETE", `/sources/${id}/verification`);
  expect(withdrawn).toMatchObject({ status: 200, body: { id, verification: null } });
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ verification: null });
});

test("only an answer that the key may see, in the version that was read, can be verified", async () => {
  const call = await caller({});
  const path = `/sources/${id}/verification`;
  expect((await call("PUT", `/sources/${documentId}/verification`, { body: {} })).status).toBe(409);
  expect((await call("PUT", path, { body: { until: "2020-01-31" } })).status).toBe(422);
  const stale = { "If-Match": `"${crypto.randomUUID()}"` };
  expect((await call("PUT", path, { body: {}, headers: stale })).status).toBe(412);

  const elsewhere = await caller({ policy: { path: ["Other"] } });
  expect((await elsewhere("PUT", path, { body: {} })).status).toBe(404);
  const writer = await caller({ scopes: ["ingest"] });
  expect((await writer("PUT", path, { body: {} })).status).toBe(403);
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ verification: null });
});

test("a verification and its withdrawal are changes that a client can follow", async () => {
  const call = await caller({});
  const changedAfter = async (instant: string) =>
    (await call<{ sources: { id: string; updatedAt: string }[] }>("GET", `/sources?updatedAfter=${instant}`)).body
      .sources;
  const newest = async () => (await changedAfter("2020-01-01T00:00:00Z")).at(-1)?.updatedAt ?? "";
  const added = await newest();
  await call("PUT", `/sources/${id}/verification`, { body: {} });
  expect(await changedAfter(added)).toMatchObject([{ id, verification: { status: "verified" } }]);
  const verified = await newest();
  await call("DELETE", `/sources/${id}/verification`);
  expect(await changedAfter(verified)).toMatchObject([{ id, verification: null }]);
  const withdrawn = await newest();
  await call("DELETE", `/sources/${id}/verification`);
  expect(await changedAfter(withdrawn)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import type { KeyPolicy } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { sourcesWithWords } from "../../search-index/find-words.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany, workUntilDone } from "../../testing/knowledge.ts";
import { addFiles, addSources } from "../intake/add.ts";
import { relabelSource } from "../intake/relabel.ts";
import { sourceInput } from "../intake/source-input.ts";
import { makeMsg } from "../parse/msg-fixtures.ts";
import { deleteSource, sourceByExternalId } from "../service.ts";
import { visibleTo } from "../visible-sources.ts";

testDatabase();

let web: WebServer;
let scope: TenantScope;
/** Row ids by the caller's identifiers. */
let ids: Record<string, string>;

beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany("Policies");
  const labels = { audience: ["staff"], contentCategory: "hr", path: ["Acme", "HR"] };
  const accepted = await addAndIngest(
    scope,
    document("inside", "The inside text.", labels),
    document("other-audience", "A hidden text.", { ...labels, audience: ["board"] }),
    document("other-category", "A hidden text.", { ...labels, contentCategory: "legal" }),
    document("other-path", "A hidden text.", { ...labels, path: ["Acme"] }),
    { sourceType: "qa", sourceId: "other-type", question: "Hidden?", answer: "Yes.", ...labels },
  );
  const files = await addFiles(scope, SYSTEM_ACTOR, [
    { sourceId: "hidden.txt", bytes: Buffer.from("A hidden text."), ...labels, audience: ["board"] },
  ]);
  await workUntilDone(scope, files);
  ids = Object.fromEntries([...accepted, ...files].map(({ sourceId, id }) => [sourceId, id]));
});
afterAll(() => web.close(0));

const POLICY: KeyPolicy = {
  audience: ["staff"],
  contentCategory: ["hr"],
  path: ["Acme", "HR"],
  sourceTypes: ["document"],
};
const HIDDEN = ["other-audience", "other-category", "other-path", "other-type", "hidden.txt"];

async function bound(policy: KeyPolicy = POLICY): Promise<Caller> {
  return apiCaller(web.address(), scope, { scopes: ["manage"], policy });
}

test("what the key may not see is not listed, and is 404 by every verb", async () => {
  const call = await bound();
  const { body } = await call<{ sources: { sourceId: string }[] }>("GET", "/sources");
  expect(body.sources.map(({ sourceId }) => sourceId)).toEqual(["inside"]);
  for (const sourceId of HIDDEN) {
    const path = `/sources/${ids[sourceId]}`;
    const answers = [
      await call("GET", path),
      await call("PATCH", path, { body: { metadata: {} } }),
      await call("DELETE", path),
      await call("GET", `${path}/text`),
      await call("GET", `${path}/original`),
      await call("POST", `${path}/reindex`),
      await call("POST", `${path}/restore`),
    ];
    expect(
      answers.map(({ status }) => status),
      sourceId,
    ).toEqual([404, 404, 404, 404, 404, 404, 404]);
  }
  expect((await call("GET", `/sources/${ids.inside}/text`)).status).toBe(200);
});

test("a search finds what the key may see, however much else matches", async () => {
  const call = await bound();
  const { body } = await call<{ sources: { sourceId: string }[] }>("GET", "/sources?search=text");
  expect(body.sources.map(({ sourceId }) => sourceId)).toEqual(["inside"]);

  const actor: Actor = { type: "api_key", id: "", name: "", companyId: scope.companyId, scopes: [], policy: POLICY };
  const search = { companyId: scope.companyId, text: "text", visible: visibleTo(scope.companyId, actor), chunksMax: 1 };
  expect(await scope.transaction((tx) => sourcesWithWords(tx, search))).toEqual([ids.inside]);
});

test("the statuses of several sources leave hidden ones out", async () => {
  const call = await bound();
  const asked = [...HIDDEN.map((sourceId) => ids[sourceId]), ids.inside];
  const { status, body } = await call("POST", "/sources/status", { body: { ids: asked } });
  expect([status, body.sources]).toEqual([200, [expect.objectContaining({ id: ids.inside, sourceId: "inside" })]]);
});

test("a comparison and a deletion in bulk know nothing of hidden sources", async () => {
  const call = await bound();
  const sources = HIDDEN.map((sourceId) => ({ sourceId, sha256: "0".repeat(64) }));
  expect((await call("POST", "/sources/diff", { body: { sources } })).body).toMatchObject({
    missing: HIDDEN,
    changed: [],
    extra: ["inside"],
    hasMoreExtra: false,
  });
  for (const body of [{ sourceIds: HIDDEN }, { prefix: "other-" }]) {
    expect(await call("POST", "/sources/delete", { body: { ...body, confirm: 5 } })).toMatchObject({
      status: 422,
      body: { confirm: 0 },
    });
    expect((await call("POST", "/sources/delete", { body: { ...body, confirm: 0 } })).body).toEqual({ deleted: [] });
  }
});

test("a restored email leaves an attachment deleted that the key may not see", async () => {
  const bytes = makeMsg({
    subject: "Pay",
    body: "Seen.",
    attachments: [{ name: "pay.txt", bytes: Buffer.from("10") }],
  });
  const labels = { audience: ["staff"], contentCategory: "hr", path: ["Acme", "HR"] };
  const [email] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "pay.msg", bytes, ...labels }]);
  await workUntilDone(scope, email ? [email] : []);
  const pay = await sourceByExternalId(scope, SYSTEM_ACTOR, "pay.msg/pay.txt");
  await workUntilDone(scope, [await relabelSource(scope, SYSTEM_ACTOR, pay.id, { audience: ["board"] })]);
  await deleteSource(scope, SYSTEM_ACTOR, email?.id ?? "");
  const call = await bound();
  expect((await call("POST", `/sources/${email?.id}/restore`)).status).toBe(200);
  expect((await call("GET", `/sources/${email?.id}`)).body).toMatchObject({ status: "ready" });
  await expect(sourceByExternalId(scope, SYSTEM_ACTOR, "pay.msg/pay.txt")).rejects.toMatchObject({ error: "NotFound" });
});

test("a label outside the policy is 403 that names it, and an absent one takes the policy's value", async () => {
  const call = await bound();
  const put = (labels: object) => call("PUT", "/sources", { body: document("new", "A new text.", labels) });
  expect(await put({ audience: ["board"] })).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('"board"') },
  });
  expect(await put({ path: ["Acme"] })).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^path/) },
  });
  expect(await put({ contentCategory: "legal" })).toMatchObject({ status: 403 });
  const qa = { sourceType: "qa", sourceId: "new", question: "Who?", answer: "Us." };
  expect(await call("PUT", "/sources", { body: qa })).toMatchObject({ status: 403 });
  const { body } = await put({});
  expect((await call("GET", `/sources/${body.id}`)).body).toMatchObject({
    audience: ["staff"],
    contentCategory: "hr",
    path: ["Acme", "HR"],
  });
  expect((await call("PATCH", `/sources/${body.id}`, { body: { path: ["Other"] } })).status).toBe(403);
  expect((await call("PATCH", `/sources/${body.id}`, { body: { path: ["Acme", "HR", "Leave"] } })).status).toBe(202);
  const two = await bound({ audience: ["staff", "board"] });
  expect(await two("PUT", "/sources", { body: document("third", "A text.") })).toMatchObject({ status: 403 });
});

test("a source that the key may not see is not overwritten", async () => {
  const call = await bound();
  const { status } = await call("PUT", "/sources", { body: document("other-audience", "Overwritten.") });
  expect(status).toBe(403);
  const refused = ["other-path", "other-category", "other-type"];
  const batch = await call("POST", "/sources/batch", {
    body: { sources: ["batch-new", ...refused].map((sourceId) => document(sourceId, "Overwritten.")) },
  });
  expect(batch).toMatchObject({
    status: 202,
    body: {
      accepted: [{ sourceId: "batch-new" }],
      failed: refused.map((sourceId) => ({ sourceId, issues: [{ message: expect.stringContaining("cannot see") }] })),
    },
  });
  const file = await call("PUT", "/sources/file?sourceId=hidden.txt", { body: "Overwritten." });
  expect(file.status).toBe(403);
  const all = await bound({});
  expect((await all<string>("GET", `/sources/${ids["other-audience"]}/text`)).body).toBe("A hidden text.");
  expect((await all<string>("GET", `/sources/${ids["hidden.txt"]}/original`)).body).toBe("A hidden text.");
});

test("a source is not overwritten before the version that the key may see replaces the one that it may not", async () => {
  const labels = { contentCategory: "hr", path: ["Acme", "HR"] };
  await addAndIngest(scope, document("opened", "A text for the board.", { ...labels, audience: ["board"] }));
  const newest = sourceInput.parse(document("opened", "A text for the staff.", { ...labels, audience: ["staff"] }));
  const accepted = await addSources(scope, SYSTEM_ACTOR, [newest], { widenTo: "any" });
  const call = await bound();
  const overwriting = document("opened", "Overwritten.");
  expect((await call("GET", `/sources/${accepted[0]?.id}`)).status).toBe(404);
  expect(await call("PUT", "/sources", { body: overwriting })).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining("cannot see") },
  });
  expect(await call("POST", "/sources/batch", { body: { sources: [overwriting] } })).toMatchObject({
    status: 422,
    body: { issues: [{ path: "sources.0.sourceId", message: expect.stringContaining("cannot see") }] },
  });
  await workUntilDone(scope, accepted);
  expect((await call("GET", `/sources/${accepted[0]?.id}/text`)).body).toBe("A text for the staff.");
  expect((await call("PUT", "/sources", { body: overwriting })).status).toBe(202);
});

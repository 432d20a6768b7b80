import { afterAll, beforeAll, expect, test } from "vitest";
import { GET } from "../../../app/v1/api/sources/[id]/route.ts";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { createKey } from "../../api-keys/service.ts";
import { browseAudit } from "../../audit/browse.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { encodeCursor } from "../../cursor.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { ask, document, newCompany, work } from "../../testing/knowledge.ts";

testDatabase();

let web: WebServer;
let scope: TenantScope;
let call: Caller;

interface Put {
  id: string;
  sourceId: string;
  versionId: string;
  unchanged: boolean;
  status: string;
}

interface Listed {
  sources: { id: string; sourceId: string; updatedAt: string }[];
  nextCursor: string | null;
}

beforeAll(async () => {
  web = await startApiServer();
});
afterAll(() => web.close(0));

async function useNewCompany(): Promise<void> {
  scope = await newCompany();
  call = await apiCaller(web.address(), scope, { scopes: ["retrieve", "manage"] });
}

async function put(sourceId: string, content: string, more: object = {}): Promise<Put> {
  const { status, body } = await call<Put>("PUT", "/sources", { body: document(sourceId, content, more) });
  expect([200, 202]).toContain(status);
  return body;
}

test("a source is put, followed, found, labelled, read, deleted and restored", async () => {
  await useNewCompany();
  const first = await call<Put>("PUT", "/sources", { body: document("a/1", "Marl is a mudstone rich in lime.") });
  expect(first).toMatchObject({ status: 202, body: { sourceId: "a/1", unchanged: false, status: "processing" } });
  expect(first.headers.get("etag")).toBe(`"${first.body.versionId}"`);
  const { id } = first.body;
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ status: "processing", served: false, chunks: 0 });

  const followed = call("GET", `/sources/${id}`, { headers: { Prefer: "wait=30" } });
  await work(scope);
  const ready = await followed;
  expect(ready.headers.get("preference-applied")).toBe("wait=30");
  expect(ready.body).toMatchObject({
    id,
    sourceId: "a/1",
    versionId: first.body.versionId,
    status: "ready",
    attachedTo: null,
    served: true,
    chunks: 1,
    notice: null,
    progress: null,
    file: null,
    versions: [{ id: first.body.versionId, number: 1, status: "ready" }],
  });

  const again = await call("PUT", "/sources", { body: document("a/1", "Marl is a mudstone rich in lime.") });
  expect(again).toMatchObject({ status: 200, body: { ...first.body, unchanged: true, status: "ready" } });

  const labelled = await call<Put>("PATCH", `/sources/${id}`, { body: { contentCategory: "rocks", path: null } });
  expect(labelled).toMatchObject({ status: 200, body: { id, unchanged: false, status: "ready" } });
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ contentCategory: "rocks", path: [] });

  const text = await call<string>("GET", `/sources/${id}/text`);
  expect(text.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(text.body).toContain("Marl is a mudstone");
  expect((await call("GET", `/sources/${id}/original`)).status).toBe(404);

  expect((await call("POST", `/sources/${id}/reindex`)).status).toBe(202);
  await work(scope);
  expect(await call("DELETE", `/sources/${id}`)).toMatchObject({ status: 200, body: { id, sourceId: "a/1" } });
  expect((await call("DELETE", `/sources/${id}`)).status).toBe(404);
  expect((await ask(scope, { queryText: "marl" })).response.total).toBe(0);
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ status: "deleted" });
  expect((await call("POST", `/sources/${id}/restore`)).status).toBe(200);
  expect((await call("POST", `/sources/${id}/restore`)).status).toBe(409);
  expect((await ask(scope, { queryText: "marl" })).response.total).toBe(1);
  expect((await call("GET", `/sources/${crypto.randomUUID()}`)).status).toBe(404);

  const { rows } = await browseAudit(scope, SYSTEM_ACTOR, {
    actor: null,
    action: null,
    from: null,
    to: null,
    page: 1,
  });
  const byKey = rows.filter(({ actorName }) => actorName === "Test key").map(({ action }) => action);
  expect(byKey.toSorted()).toEqual([
    "knowledge.added",
    "knowledge.reindexed",
    "knowledge.relabelled",
    "source.deleted",
    "source.restored",
  ]);
});

test("an id in upper case is the same id", async () => {
  await useNewCompany();
  const { id, versionId } = await put("a", "One.");
  const { body } = await call("POST", "/sources/status", { body: { ids: [id.toUpperCase(), id] } });
  expect(body).toMatchObject({ sources: [{ id, sourceId: "a" }] });
  const headers = { "If-Match": `"${versionId.toUpperCase()}"` };
  const labelled = await call("PATCH", `/sources/${id.toUpperCase()}`, { body: { path: ["A"] }, headers });
  expect(labelled).toMatchObject({ status: 202, body: { id } });
  expect(await call("DELETE", `/sources/${id.toUpperCase()}`)).toMatchObject({ status: 200, body: { id } });
});

test("a source that is put again without a label keeps its label", async () => {
  await useNewCompany();
  const { id } = await put("a", "One.", { audience: ["staff"], contentCategory: "hr", metadata: { page: 1 } });
  expect(await put("a", "Two.")).not.toHaveProperty("changedLabels");
  const kept = { audience: ["staff"], contentCategory: "hr", metadata: { page: 1 } };
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject(kept);
});

test("the response to a source that is put again or relabelled names the labels that it changes", async () => {
  await useNewCompany();
  const { id } = await put("a", "One.", { audience: ["staff"], path: ["HR"] });
  const body = document("a", "Two.", { audience: ["staff"], path: ["HR", "Pay"] });
  const { body: changed } = await call("PUT", "/sources", { body });
  expect(changed).toMatchObject({ changedLabels: [{ label: "path", before: ["HR"], after: ["HR", "Pay"] }] });
  const relabel = (audience: string[]) => call("PATCH", `/sources/${id}`, { body: { audience } });
  const { body: relabelled } = await relabel(["board"]);
  expect(relabelled).toMatchObject({ changedLabels: [{ label: "audience", before: ["staff"], after: ["board"] }] });
  expect((await relabel(["board"])).body).not.toHaveProperty("changedLabels");
});

test("every issue of a bad source is named in one response", async () => {
  await useNewCompany();
  const bad = { sourceType: "document", content: "", path: "a/b", metadata: 7 };
  const { status, body } = await call<{ issues: { path: string }[] }>("PUT", "/sources", { body: bad });
  expect(status).toBe(422);
  expect(body.issues.map(({ path }) => path).toSorted()).toEqual(["content", "metadata", "path", "sourceId", "title"]);
  const other = await call("PUT", "/sources", { body: { ...document("a", "One."), colour: "red" } });
  expect(other.headers.get("x-ragstone-ignored-fields")).toBe("colour");
  expect((await call("PUT", "/sources", { body: { sourceType: "page" } })).body).toMatchObject({
    message: 'sourceType: must be "document" or "qa"',
  });
});

test("a question is put by the same route", async () => {
  await useNewCompany();
  const body = { sourceType: "qa", sourceId: "q", question: "What is marl?", answer: "A mudstone." };
  const { id } = (await call<Put>("PUT", "/sources", { body })).body;
  await work(scope);
  expect((await call("GET", `/sources/${id}`)).body).toMatchObject({ sourceType: "qa", title: "What is marl?" });
});

test("lists every source exactly once across pages, and filters select the right ones", async () => {
  await useNewCompany();
  for (let i = 0; i < 7; i++)
    await put(`${i % 2 ? "odd" : "even"}/${i}`, `Text ${i}`, { path: i < 3 ? ["A", "B"] : [] });
  const seen: string[] = [];
  let updatedAt = "";
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Listed = (await call<Listed>("GET", `/sources?limit=3${cursor && `&cursor=${cursor}`}`)).body;
    for (const source of page.sources) {
      expect(source.updatedAt > updatedAt).toBe(true);
      updatedAt = source.updatedAt;
      seen.push(source.sourceId);
    }
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(["even/0", "odd/1", "even/2", "odd/3", "even/4", "odd/5", "even/6"]);
  const idsOf = async (query: string) =>
    (await call<Listed>("GET", `/sources?${query}`)).body.sources.map(({ sourceId }) => sourceId);
  expect(await idsOf("prefix=odd/")).toEqual(["odd/1", "odd/3", "odd/5"]);
  expect(await idsOf("path=A&path=B")).toEqual(["even/0", "odd/1", "even/2"]);
  expect(await idsOf("path=B")).toEqual([]);
  expect(await idsOf("sourceId=odd/3")).toEqual(["odd/3"]);
  expect(await idsOf("status=ready")).toEqual([]);
  expect(await idsOf("type=qa")).toEqual([]);
  expect(await idsOf(`updatedAfter=${updatedAt}`)).toEqual([]);
  await put("odd/1", "Text 1");
  expect(await idsOf(`updatedAfter=${updatedAt}`)).toEqual([]);
  await put("odd/1", "Other text");
  expect(await idsOf(`updatedAfter=${updatedAt}`)).toEqual(["odd/1"]);
  expect((await call("GET", "/sources?limit=0&cursor=x&status=gone")).body).toMatchObject({
    issues: [{ path: "status" }, { path: "limit" }, { path: "cursor" }],
  });
});

test.each(["0000-01-01T00:00:00Z", "2026-01-01T00:00:00+23:00"])(
  "the list refuses %s, which is no instant to the database",
  async (instant) => {
    await useNewCompany();
    const refused = await call("GET", `/sources?updatedAfter=${encodeURIComponent(instant)}`);
    expect(refused).toMatchObject({ status: 422, body: { issues: [{ path: "updatedAfter" }] } });
    const crafted = await call("GET", `/sources?cursor=${encodeCursor([instant, scope.companyId])}`);
    expect(crafted).toMatchObject({ status: 422, body: { issues: [{ path: "cursor" }] } });
  },
);

test("50 parallel PUTs of one content make one version", async () => {
  await useNewCompany();
  const puts = await Promise.all(Array.from({ length: 50 }, () => put("a", "The same content.")));
  expect(new Set(puts.map(({ versionId }) => versionId)).size).toBe(1);
  expect(puts.filter(({ unchanged }) => !unchanged)).toHaveLength(1);
});

test("a wait ends when the caller leaves", async () => {
  await useNewCompany();
  const { id } = await put("a", "One.");
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "Leaves", scopes: ["manage"] });
  const left = new AbortController();
  const headers = { Authorization: `Bearer ${token}`, Prefer: "wait=30" };
  const request = new Request(`http://localhost/v1/api/sources/${id}`, { headers, signal: left.signal });
  // the request itself, because a client that leaves learns nothing of the server
  const waiting = GET(request, { params: Promise.resolve({ id }) });
  setTimeout(() => left.abort(), 300);
  // a wait that lasted its 30 seconds would answer 200
  expect((await waiting).status).toBe(400);
});

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";

testDatabase();

let web: WebServer;
let call: Caller;

interface Put {
  id: string;
  versionId: string;
}

beforeAll(async () => {
  web = await startApiServer();
});
beforeEach(async () => {
  call = await apiCaller(web.address(), await newCompany(), { scopes: ["retrieve", "manage"] });
});
afterAll(() => web.close(0));

async function put(sourceId: string, content: string): Promise<Put> {
  const { status, body } = await call<Put>("PUT", "/sources", { body: document(sourceId, content) });
  expect(status).toBe(202);
  return body;
}

test("If-Match changes only the version that it names", async () => {
  const { id, versionId } = await put("a", "One.");
  const changed = (etag: string, content = "Two.") =>
    call("PUT", "/sources", { body: document("a", content), headers: { "If-Match": etag } });
  const unknown = `"${crypto.randomUUID()}"`;
  expect(await changed(unknown)).toMatchObject({ status: 412, body: { error: "PreconditionFailed", statusCode: 412 } });
  expect((await changed(`"${versionId}"`)).status).toBe(202);
  expect((await changed(`"${versionId}"`, "Three.")).status).toBe(412);
  const headers = { "If-Match": unknown };
  expect((await call("PATCH", `/sources/${id}`, { body: { path: ["A"] }, headers })).status).toBe(412);
  const created = await call("PUT", "/sources", { body: document("new", "One."), headers });
  expect(created.status).toBe(412);
  expect((await call("GET", "/sources?sourceId=new")).body).toMatchObject({ sources: [] });
});

test("If-Match takes a weak tag, a list of tags, and * for any version", async () => {
  const other = `"${crypto.randomUUID()}"`;
  let { versionId } = await put("a", "0");
  const statusOf = async (ifMatch: string, sourceId = "a") => {
    const body = document(sourceId, `For ${ifMatch}`);
    const changed = await call<Put>("PUT", "/sources", { body, headers: { "If-Match": ifMatch } });
    versionId = changed.body.versionId ?? versionId;
    return changed.status;
  };
  expect(await statusOf(`W/"${versionId}"`)).toBe(202);
  expect(await statusOf(`${other}, W/"${versionId}"`)).toBe(202);
  expect(await statusOf("*")).toBe(202);
  expect(await statusOf(`W/${other}`)).toBe(412);
  expect(await statusOf(`${other}, "*"`)).toBe(412);
  expect(await statusOf("*", "new")).toBe(412);
});

test("a change with If-Match that is sent again, because its response was lost, changes nothing", async () => {
  const { id, versionId } = await put("a", "One.");
  const headers = { "If-Match": `"${versionId}"` };
  const twice = async (method: string, path: string, body: object) => {
    const first = await call<Put>(method, path, { body, headers });
    expect(first.body).toMatchObject({ unchanged: false });
    expect(await call<Put>(method, path, { body, headers })).toMatchObject({
      status: 200,
      body: { versionId: first.body.versionId, unchanged: true },
    });
    headers["If-Match"] = `"${first.body.versionId}"`;
  };
  await twice("PUT", "/sources", document("a", "Two."));
  await twice("PATCH", `/sources/${id}`, { audience: ["staff"] });
  await call("DELETE", `/sources/${id}`);
  expect((await call("PUT", "/sources", { body: document("a", "Two."), headers })).status).toBe(412);
});

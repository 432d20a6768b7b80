import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { KEY_SCOPES, type KeyScope } from "../../db/column-values.ts";
import { openApiDocument } from "../../openapi/openapi.ts";
import { apiCaller, type Caller } from "../../testing/api-caller.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany } from "../../testing/knowledge.ts";

testDatabase();

/** The scopes that each operation serves; the others are refused. */
const SERVED: Record<string, KeyScope[]> = {
  "GET /status": ["retrieve"],
  "POST /rag/retrieve": ["retrieve"],
  "PUT /sources": ["ingest", "manage"],
  "GET /sources": ["manage"],
  "PUT /sources/file": ["ingest", "manage"],
  "POST /sources/batch": ["ingest", "manage"],
  "POST /sources/diff": ["ingest", "manage"],
  "POST /sources/delete": ["manage"],
  "GET /sources/{id}": ["ingest", "manage"],
  "PATCH /sources/{id}": ["ingest", "manage"],
  "DELETE /sources/{id}": ["manage"],
  "GET /sources/{id}/text": ["manage"],
  "GET /sources/{id}/original": ["manage"],
  "POST /sources/{id}/reindex": ["manage"],
  "POST /sources/{id}/restore": ["manage"],
};

let web: WebServer;
const callers = new Map<KeyScope, Caller>();

beforeAll(async () => {
  web = await startApiServer();
  const scope = await newCompany("Scopes");
  for (const each of KEY_SCOPES) callers.set(each, await apiCaller(web.address(), scope, { scopes: [each] }));
});
afterAll(() => web.close(0));

test("the table has every operation of the API document", () => {
  const { paths = {} } = openApiDocument("http://localhost");
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, "")}`),
  );
  const keyed = operations.filter((operation) => operation !== "GET /openapi.json");
  expect(Object.keys(SERVED).toSorted()).toEqual(keyed.toSorted());
});

const cells = Object.entries(SERVED).flatMap(([operation, served]) =>
  KEY_SCOPES.map((scope) => ({ operation, scope, isServed: served.includes(scope) })),
);

test.each(cells)("$operation with a key of scope $scope: served $isServed", async ({ operation, scope, isServed }) => {
  const [method = "", path = ""] = operation.replace("{id}", crypto.randomUUID()).split(" ");
  const call = callers.get(scope);
  const answer = await call?.(method, path, method === "GET" ? {} : { body: {} });
  const refused = { status: 403, body: { error: "Forbidden", requiredScope: expect.any(String) } };
  if (isServed) expect(answer?.status).not.toBe(403);
  else expect(answer).toMatchObject(refused);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { fileId, vectorStoreId } from "../../adapters/openai/ids.ts";
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
  "POST /sources/status": ["ingest", "manage"],
  "POST /sources/delete": ["manage"],
  "GET /sources/{id}": ["ingest", "manage"],
  "PATCH /sources/{id}": ["ingest", "manage"],
  "DELETE /sources/{id}": ["manage"],
  "GET /sources/{id}/text": ["manage"],
  "GET /sources/{id}/original": ["manage"],
  "POST /sources/{id}/reindex": ["manage"],
  "POST /sources/{id}/restore": ["manage"],
  "PUT /sources/{id}/verification": ["manage"],
  "DELETE /sources/{id}/verification": ["manage"],
};

/** The operations in the format of OpenAI, whose errors do not name the scope. */
const OPENAI: Record<string, KeyScope[]> = {
  "GET /openai/vector_stores": ["retrieve"],
  "GET /openai/vector_stores/{storeId}": ["retrieve"],
  "POST /openai/vector_stores/{storeId}/search": ["retrieve"],
  "POST /openai/files": ["ingest", "manage"],
  "GET /openai/files": ["ingest", "manage"],
  "GET /openai/files/{fileId}": ["ingest", "manage"],
  "DELETE /openai/files/{fileId}": ["manage"],
  "POST /openai/vector_stores/{storeId}/files": ["ingest", "manage"],
  "GET /openai/vector_stores/{storeId}/files": ["manage"],
  "GET /openai/vector_stores/{storeId}/files/{fileId}": ["ingest", "manage"],
  "POST /openai/vector_stores/{storeId}/files/{fileId}": ["ingest", "manage"],
  "DELETE /openai/vector_stores/{storeId}/files/{fileId}": ["manage"],
  "GET /openai/vector_stores/{storeId}/files/{fileId}/content": ["manage"],
};

let web: WebServer;
let storeId: string;
const callers = new Map<KeyScope, Caller>();

beforeAll(async () => {
  web = await startApiServer();
  const scope = await newCompany("Scopes");
  storeId = vectorStoreId(scope.companyId);
  for (const each of KEY_SCOPES) callers.set(each, await apiCaller(web.address(), scope, { scopes: [each] }));
});
afterAll(() => web.close(0));

test("the table has every operation of the API document", () => {
  const { paths = {} } = openApiDocument("http://localhost");
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, "")}`),
  );
  const keyed = operations.filter((operation) => operation !== "GET /openapi.json");
  expect(Object.keys({ ...SERVED, ...OPENAI }).toSorted()).toEqual(keyed.toSorted());
});

test("the API document names the least scope that serves each operation", () => {
  const { paths = {} } = openApiDocument("http://localhost");
  const named = Object.keys(SERVED).map((operation) => {
    const [method = "", path = ""] = operation.split(" ");
    const described = Object(paths[`/api${path}`])[method.toLowerCase()];
    return [operation, described["x-required-scope"] ?? "retrieve"];
  });
  const least = Object.entries(SERVED).map(([operation, [scope]]) => [operation, scope]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(least));
});

const cells = Object.entries({ ...SERVED, ...OPENAI }).flatMap(([operation, served]) =>
  KEY_SCOPES.map((scope) => ({ operation, scope, isServed: served.includes(scope) })),
);

test.each(cells)("$operation with a key of scope $scope: served $isServed", async ({ operation, scope, isServed }) => {
  const id = crypto.randomUUID();
  const ids = { id, storeId, fileId: fileId(id) };
  const filled = Object.entries(ids).reduce((path, [name, value]) => path.replace(`{${name}}`, value), operation);
  const [method = "", path = ""] = filled.split(" ");
  const call = callers.get(scope);
  const answer = await call?.(method, path, method === "GET" ? {} : { body: {} });
  const error = operation in OPENAI ? { code: "forbidden" } : "Forbidden";
  const refused = { status: 403, body: { error, ...(operation in SERVED && { requiredScope: expect.any(String) }) } };
  if (isServed) expect(answer?.status).not.toBe(403);
  else expect(answer).toMatchObject(refused);
});

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../bench/soak/api-server.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addFiles } from "../knowledge/intake/add.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { apiDescription } from "./openapi.ts";
import { apiReference } from "./reference.ts";
import { requestExamples } from "./request-examples.ts";

testDatabase();

const run = promisify(execFile);
const STATUS = "\nstatus %{http_code}";

let web: WebServer;
let scope: TenantScope;
let token: string;
/** A source with a file, for the paths with an id. */
let id: string;

beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany("Examples");
  token = (await createKey(scope, SYSTEM_ACTOR, { name: "Examples", scopes: ["retrieve", "manage"] })).token;
  const [file] = await addFiles(scope, SYSTEM_ACTOR, [
    { sourceId: "notice.md", bytes: Buffer.from("# Notice\n\n30 days.") },
  ]);
  await work(scope);
  id = file?.id ?? "";
});
afterAll(() => web.close(0));

/** Runs shell commands as a reader would paste them, and returns what they print. */
async function shell(command: string, folder = "."): Promise<string> {
  const env = { ...process.env, RAGSTONE_URL: web.address(), RAGSTONE_API_KEY: token };
  const { stdout } = await run("sh", ["-ec", `curl() { command curl -s -w '${STATUS}' "$@"; }\n${command}`], {
    env,
    cwd: folder,
  });
  return stdout;
}

/** Headers of HTTP and of the server, which the document leaves to them. */
const OF_HTTP =
  /^(?:connection|keep-alive|date|vary|transfer-encoding|content-(?:type|length|security-policy)|x-content-type-options)$/;

test.each([
  [
    "put",
    "/api/sources",
    "?merg=true",
    { sourceType: "document", sourceId: "a.md", title: "A", content: "Text", x: 1 },
  ],
  ["put", "/api/sources", "", { sourceType: "document", sourceId: "", title: "A", content: "Text", x: 1 }],
  ["put", "/api/sources/file", "?sourceId=b.md&x=1", "Text"],
  ["get", "/api/sources", "?x=1", undefined],
  ["post", "/api/sources/status", "", { ids: [], x: 1 }],
  ["get", "/api/sources/{id}", "", undefined],
  ["get", "/api/sources/{id}/text", "", undefined],
  ["get", "/api/sources/{id}/original", "", undefined],
  ["patch", "/api/sources/{id}", "", { contentCategory: "notice", x: 1 }],
  ["post", "/api/sources/{id}/reindex", "", undefined],
  ["post", "/api/rag/retrieve", "", { queryText: "", x: 1 }],
] as const)("the document names every header that is sent: %s %s%s %o", async (method, path, query, body) => {
  const response = await fetch(`${web.address()}/v1${path.replace("{id}", id)}${query}`, {
    method: method.toUpperCase(),
    body: typeof body === "object" ? JSON.stringify(body) : (body ?? null),
    headers: {
      Authorization: `Bearer ${token}`,
      Prefer: "wait=1",
      "Content-Type": typeof body === "string" ? "application/octet-stream" : "application/json",
    },
  });
  await response.arrayBuffer();
  const documented = apiDescription().paths?.[path]?.[method]?.responses?.[`${response.status}`];
  const names = Object.keys(Object(Object(documented).headers)).map((name) => name.toLowerCase());
  const sent = [...response.headers.keys()].filter((name) => !OF_HTTP.test(name));
  expect(names).toEqual(expect.arrayContaining(sent));
});

const sourceOperations = apiReference().filter(({ path }) => path.startsWith("/v1/api/sources"));
const order = ["PUT", "GET", "POST", "PATCH", "DELETE"];

test.each(sourceOperations.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method)))(
  "the example of $method $path in the reference works",
  async ({ method, path, requestExample: body }) => {
    const url = web.address() + path.replace("{id}", id);
    // the reference shows no command with a file
    if (path.endsWith("/file")) return;
    const printed = await shell(requestExamples({ url, method, body }).curl);
    // the source is a file that is not deleted
    const isRefused = path.endsWith("/restore") || (method === "PUT" && path.endsWith("/verification"));
    expect(printed).toMatch(isRefused ? /status 409$/ : /status 20[02]$/);
  },
);

test("the commands of docs/connect.md work in their order", async () => {
  const [, section = ""] =
    /^## Keep knowledge current with curl\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(readFileSync("docs/connect.md", "utf8")) ??
    [];
  const commands = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, command = ""]) => command);
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands.map((each) => each.replace("@handbook.pdf", "@package.json"))) {
    // its values are those of the test
    if (command.startsWith("export ")) continue;
    const printed = await shell(command.replaceAll("$SOURCE_ID", id));
    expect(printed, command).toMatch(/status 20[02]$/);
  }
});

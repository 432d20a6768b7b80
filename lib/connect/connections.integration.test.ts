import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as MCP } from "../../app/mcp/route.ts";
import { startApiServer } from "../../bench/soak/api-server.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany, work } from "../testing/knowledge.ts";
import { routeServer } from "../testing/serve-route.ts";
import { runWorker } from "../worker/worker.ts";
import { CONNECTIONS, type Snippet } from "./connections.ts";

testDatabase();
const serve = routeServer();

const root = new URL("../../", import.meta.url);
const run = promisify(execFile);
let web: WebServer;
let scope: TenantScope;

beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany("Connected");
  await addAndIngest(scope, document("known", "You can cancel your contract by post.", { title: "By post" }));
});
afterAll(() => web.close(0));

/** The snippets of a connection, with the URL of the server and a new key. */
async function snippetsOf(id: string, url = web.address()): Promise<readonly Snippet[]> {
  const connection = CONNECTIONS.find((each) => each.id === id);
  if (!connection) throw new Error(`no connection ${id}`);
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: id, scopes: [...connection.scopes] });
  return connection.snippets({ url, key: token });
}

/** The URL of a server of the MCP route, which is not below `/v1`. */
async function mcpAddress(): Promise<string> {
  return new URL(await serve(MCP)).origin;
}

/** Runs a snippet in a shell, after the one that sets the environment. */
async function shell([environment, ...commands]: readonly Snippet[]): Promise<string[]> {
  const outputs: string[] = [];
  for (const { code } of commands) {
    const { stdout } = await run("bash", ["-c", `set -e\n${environment?.code}\n${code}`]);
    outputs.push(stdout);
    await work(scope);
  }
  return outputs;
}

/** Runs a snippet with Node, where the client is this repository's. @returns what it printed */
async function program(snippets: readonly Snippet[], { more = "", folder = "" } = {}): Promise<string> {
  const [environment, snippet] = [snippets[0], snippets.at(-1)];
  const hooks = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      const own = /^@ragstone\\/client(?:\\/(\\w+))?$/.exec(name);
      return next(own ? new URL("lib/client/" + (own[1] ?? "index") + ".ts", ${JSON.stringify(root.href)}).href : name, context);
    } });`;
  const entries = [...(environment?.code ?? "").matchAll(/export (\w+)="(.*)"/g)].map(([, name = "", value]) => [
    name,
    value,
  ]);
  const { stdout } = await run(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(hooks)}`,
      "--input-type=module",
      "-e",
      `${folder && `process.chdir(${JSON.stringify(folder)});`}\n${snippet?.code}${more}`,
    ],
    { cwd: root, env: { PATH: process.env.PATH, ...Object.fromEntries(entries) } },
  );
  return stdout;
}

describe("the lines that Connect shows", () => {
  it("add a source and get its answer by curl", async () => {
    const [added = "", asked = ""] = await shell(await snippetsOf("curl"));
    expect(JSON.parse(added)).toMatchObject({ sourceId: "cancel", unchanged: false });
    expect(JSON.parse(asked).aiGeneratedAnswer).toContain("thirty days of notice");
  });

  it("add a file and find it by the OpenAI SDK", async () => {
    const folder = await mkdtemp(join(tmpdir(), "connect-"));
    await writeFile(join(folder, "contract.md"), "You can cancel your contract by carrier pigeon.");
    const stop = new AbortController();
    const worker = runWorker({ signal: stop.signal, companyId: scope.companyId });
    const printed = await program(await snippetsOf("openai"), { folder }).finally(() => stop.abort());
    await worker;
    await rm(folder, { recursive: true });
    expect(printed).toMatch(/^completed\n/);
    expect(printed).toContain("carrier pigeon");
    expect(printed).toContain("You can cancel your contract by post.");
  });

  it("search by LangChain", async () => {
    expect(await program(await snippetsOf("langchain"))).toContain("You can cancel your contract by post.");
  });

  it("give the AI SDK a tool", async () => {
    const call =
      '\nconst call = { toolCallId: "1", messages: [] };\nconsole.log(JSON.stringify(await tools.knowledge.execute({ query: "cancel" }, call)));';
    expect(await program(await snippetsOf("ai-sdk"), { more: call })).toContain(
      "You can cancel your contract by post.",
    );
  });

  it("ask by MCP from a program, as docs/connect.md shows", async () => {
    const docs = await readFile(new URL("docs/connect.md", root), "utf8");
    const [code = ""] = docs.split("## MCP from your own program")[1]?.match(/(?<=```ts\n)[\s\S]*?(?=```)/) ?? [];
    await addAndIngest(scope, document("notice", "The notice period is thirty days."));
    const [environment] = await snippetsOf("curl", await mcpAddress());
    if (!environment) throw new Error("no environment");
    expect(await program([environment, { title: "", code }])).toMatch(/thirty days/);
  });

  it("configure every MCP client with a request that the server answers", async () => {
    for (const id of ["claude-code", "cursor", "vscode"]) {
      const [snippet] = await snippetsOf(id, await mcpAddress());
      const [url = ""] = snippet?.code.match(/http[^\s"\\]+/) ?? [];
      const [, token = ""] = snippet?.code.match(/Bearer ([^"\s]+)/) ?? [];
      const requestInit = { headers: { Authorization: `Bearer ${token}` } };
      const client = new Client({ name: id, version: "1" });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search", "fetch", "ask"]);
      await client.close();
    }
  });

  it("say what any HTTP client sends", async () => {
    const [address, headers, body] = await snippetsOf("http");
    const lines = headers?.code.split("\n").map((line) => line.split(": ")) ?? [];
    const init = { method: "POST", headers: Object.fromEntries(lines), body: body?.code ?? "" };
    const response = await fetch(address?.code ?? "", init);
    expect(await response.json()).toMatchObject({ total: expect.any(Number), results: expect.any(Array) });
  });
});

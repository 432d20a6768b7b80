/**
 * `npm run bench:interfaces`: measures the throughput of the API's interfaces and the memory of uploads. Needs a build.
 */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createKey } from "../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../lib/audit/record.ts";
import { createCompany } from "../lib/companies/service.ts";
import { tenantScope } from "../lib/db/tenant.ts";
import { documents, questions } from "./corpus.ts";
import { measure, percentiles, round } from "./measure.ts";
import { sampleProcesses } from "./soak/process-samples.ts";
import { addAndWait, type Product, withProduct } from "./soak/product.ts";

const SMALL_SOURCES = 500;
const CHUNKS = 1_000;
const DIFFED = 10_000;
const QUERIES = 150;
const UPLOADS = 8;
const FILE_BYTES = 50_000_000;

type Send = (method: string, path: string, body: unknown, headers?: Record<string, string>) => Promise<void>;

await withProduct({}, async (product) => {
  // first, because the worker still processes the sources that the next table adds
  const asked = await newCompany(product);
  await addAndWait(asked.scope, documents(CHUNKS));
  console.table(await askByTurns(asked.send));
  const knowledge = await newCompany(product);
  console.table({
    "PUT of a small source, 1 client": await measure(smallSources("one"), 1, putSource(knowledge.send)),
    "PUT of a small source, 8 clients": await measure(smallSources("eight"), 8, putSource(knowledge.send)),
    "batch of 200": await measure(batches(), 1, (sources) =>
      knowledge.send("POST", "/v1/api/sources/batch", { sources }),
    ),
    "diff of 10,000": await measure(diffs(), 1, (sources) =>
      knowledge.send("POST", "/v1/api/sources/diff", { sources }),
    ),
  });
  console.table({ "8 uploads of 50 MB": await uploadAtOnce(product, (await newCompany(product)).send) });
});

async function newCompany({ url }: Product) {
  const scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Bench" })).id);
  const input = { name: "bench", scopes: ["retrieve" as const, "manage" as const], rateLimitPerMinute: 0 };
  const { token } = await createKey(scope, CLI_ACTOR, input);
  const send: Send = async (method, path, body, headers = {}) => {
    const isFile = body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      body: isFile ? new Uint8Array(body) : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"isError":true')) throw new Error(`${path}: ${response.status} ${text}`);
  };
  return { scope, send };
}

function smallSources(prefix: string) {
  return Array.from({ length: SMALL_SOURCES }, (_, index) => smallSource(`${prefix}-${index}`));
}

function smallSource(sourceId: string) {
  return { sourceType: "qa", sourceId, question: `What is ${sourceId}?`, answer: `It is the source ${sourceId}.` };
}

function putSource(send: Send) {
  return (source: object) => send("PUT", "/v1/api/sources", source);
}

function batches() {
  return Array.from({ length: 10 }, (_, batch) =>
    Array.from({ length: 200 }, (_, index) => smallSource(`batch-${batch}-${index}`)),
  );
}

/** A fifth of the sources exist already. */
function diffs() {
  const known = batches().flatMap((sources) => sources.map(({ sourceId }) => sourceId));
  const other = Array.from({ length: DIFFED - known.length }, (_, index) => `other-${index}`);
  const sha256 = createHash("sha256").update("content").digest("hex");
  const sources = [...known, ...other].map((sourceId) => ({ sourceId, sha256 }));
  return Array.from({ length: 10 }, () => sources);
}

/** Calls each interface in turn with new questions, so that no cache or quiet moment favours one of them. */
async function askByTurns(send: Send) {
  const mcp = (query: string) => ({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "search", arguments: { query } },
  });
  const dify = (query: string) => ({
    ...{ knowledge_id: "all", query },
    retrieval_setting: { top_k: 10, score_threshold: 0 },
  });
  const accept = { Accept: "application/json, text/event-stream" };
  const interfaces: Record<string, (query: string) => Promise<void>> = {
    native: (queryText) => send("POST", "/v1/api/rag/retrieve", { queryText }),
    MCP: (query) => send("POST", "/mcp", mcp(query), accept),
    Dify: (query) => send("POST", "/v1/api/dify/retrieval", dify(query)),
  };
  const names = Object.keys(interfaces);
  const times = new Map(names.map((name): [string, number[]] => [name, []]));
  for (const [index, question] of questions((QUERIES + 10) * names.length, 7).entries()) {
    const name = names[index % names.length] ?? "";
    const started = performance.now();
    await interfaces[name]?.(question);
    // the first requests compile code
    if (index >= 10 * names.length) times.get(name)?.push(performance.now() - started);
  }
  return Object.fromEntries([...times].map(([name, each]) => [name, percentiles(each)]));
}

/** Resident megabytes of the web process before and at most during uploads of 50 MB by 8 clients. */
async function uploadAtOnce(product: Product, send: Send) {
  const megabytes = () => sampleProcesses(product.pids()).web?.megabytes ?? 0;
  const before = megabytes();
  let most = before;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      most = Math.max(most, megabytes());
      await setTimeout(50);
    }
  })();
  const bytes = randomBytes(FILE_BYTES);
  const type = { "Content-Type": "application/octet-stream" };
  const started = performance.now();
  await Promise.all(
    Array.from({ length: UPLOADS }, (_, index) => {
      // different content each, because equal files are stored once
      const file = Buffer.from(bytes);
      file.writeUInt32LE(index);
      return send("PUT", `/v1/api/sources/file?sourceId=${index}.bin`, file, type);
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  isDone = true;
  await watching;
  return { before: round(before), most: round(most), growth: round(most - before), seconds: round(seconds) };
}

/**
 * `npm run bench`: retrieval, ingestion, start-up and memory, on the embedded database and on `DATABASE_URL` if set.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startProviderServer } from "../lib/testing/provider-server.ts";
import { benchRetrieval, type RetrievalRow } from "./retrieval.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,50000" },
    queries: { type: "string", default: "200" },
    only: { type: "string" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
/** Above this size, a fake provider makes the vectors, because embedding 50,000 texts would measure nothing new. */
const EMBEDDED_FOR_REAL_MAX = 10_000;

if (values.help) {
  console.log("npm run bench -- [--sizes 1000,10000,50000] [--queries 200] [--only embedded|server] [--json file]");
  process.exit(0);
}

const rows: RetrievalRow[] = [];
const sizes = values.sizes.split(",").map(Number);
const queries = Number(values.queries);
const databases = process.env.DATABASE_URL ? (["embedded", "server"] as const) : (["embedded"] as const);
for (const database of databases.filter((name) => name === (values.only ?? name))) {
  const real = sizes.filter((size) => size <= EMBEDDED_FOR_REAL_MAX);
  if (real.length > 0) rows.push(...(await onFreshData(database, { sizes: real, variables: {}, vectors: "model" })));
  const prepared = sizes.filter((size) => size > EMBEDDED_FOR_REAL_MAX);
  if (prepared.length === 0) continue;
  const provider = await startProviderServer({ dimensions: 384 });
  const variables = { OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_DIMENSIONS: "384", ANSWER_MODEL: "local" };
  rows.push(...(await onFreshData(database, { sizes: prepared, variables, vectors: "prepared" })));
  await provider.close();
}
console.table(rows.map(({ stages: _, ...row }) => row));
console.table(rows.map(({ stages, database, chunks, search }) => ({ database, chunks, search, ...stages })));
if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 2));

async function onFreshData(
  database: "embedded" | "server",
  given: { sizes: number[]; variables: Record<string, string>; vectors: "model" | "prepared" },
): Promise<RetrievalRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "ragstone-bench-"));
  const DATABASE_URL = database === "embedded" ? "" : (process.env.DATABASE_URL ?? "");
  try {
    return await benchRetrieval({
      ...given,
      database,
      queries,
      variables: { ...given.variables, DATA_DIR: dataDir, DATABASE_URL },
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

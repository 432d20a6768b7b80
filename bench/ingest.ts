/**
 * `npm run bench:ingest`: chunks per second and processor time of ingestion, of many short documents and of one long
 * text, on the embedded database and on a PostgreSQL server. Needs `npm run build` and an idle machine.
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { CLI_ACTOR } from "../lib/audit/record.ts";
import { createCompany } from "../lib/companies/service.ts";
import { connection } from "../lib/db/client.ts";
import { tenantScope } from "../lib/db/tenant.ts";
import { addSources } from "../lib/knowledge/intake/add.ts";
import { sourceInput } from "../lib/knowledge/intake/source-input.ts";
import { startProviderServer } from "../lib/testing/provider-server.ts";
import { documents } from "./corpus.ts";
import { round } from "./measure.ts";
import { postgresPids } from "./postgres-process.ts";
import { cpuMsOf } from "./server.ts";
import { onPostgres, withPostgres } from "./soak/postgres.ts";
import { cpuSecondsByRole } from "./soak/process-watch.ts";
import { type Product, withProduct } from "./soak/product.ts";

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "5000" },
    megabytes: { type: "string", default: "2" },
    model: { type: "boolean", default: false },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log("npm run bench:ingest -- [--documents 5000] [--megabytes 2] [--only embedded|server] [--model]");
  process.exit(0);
}

const rows: object[] = [];
const provider = await startProviderServer({ dimensions: 384 });
const stub = { OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_DIMENSIONS: "384", ANSWER_MODEL: "local" };
const variables = values.model ? {} : stub;
if (values.only !== "server") await withProduct({ variables }, (product) => measureBoth("embedded", product));
if (values.only !== "embedded") {
  const onServer = ({ url }: { url: string }) =>
    withProduct({ variables, databaseUrl: url }, (product) => measureBoth("server", product));
  await (values.only ? onPostgres(onServer) : withPostgres(console.error, onServer));
}
await provider.close();
console.table(rows);

async function measureBoth(database: string, product: Product): Promise<void> {
  const short = documents(Number(values.documents));
  const text = documents(Math.ceil((Number(values.megabytes) * 1e6) / 550), 9).map(({ content }) => content);
  const long = { sourceType: "document", sourceId: "long", title: "A long text", content: text.join("\n\n") };
  for (const [work, given] of Object.entries({ "short documents": short, "one long text": [long] })) {
    const sources = given.map((source) => sourceInput.parse(source));
    const { id } = await createCompany(CLI_ACTOR, { name: work });
    const started = performance.now();
    await addSources(tenantScope(id), CLI_ACTOR, sources);
    const accepted = performance.now();
    const before = await cpuOf(product);
    const chunks = await untilIngested(id);
    const ms = performance.now() - accepted;
    const after = await cpuOf(product);
    const cpu = Object.entries(after).map(([role, seconds]) => [
      `${role} ms`,
      round(((seconds - (before[role] ?? 0)) * 1_000) / chunks),
    ]);
    const speed = { acceptedMs: round(accepted - started), chunks, perSecond: round((chunks * 1_000) / ms) };
    rows.push({ database, work, ...speed, ...Object.fromEntries(cpu) });
    console.error(rows.at(-1));
  }
}

/** @returns the number of chunks that searches return */
async function untilIngested(companyId: string): Promise<number> {
  for (;;) {
    const [row] = await connection().db.execute<{ waiting: number; chunks: number }>(sql`
      select (select count(*)::int from ragstone.jobs where company_id = ${companyId} and kind = 'ingest' and state <> 'done')
          as waiting,
        (select coalesce(sum(live_count), 0)::int from ragstone.lexical_blocks where company_id = ${companyId}) as chunks`);
    if (row?.waiting === 0) return row.chunks;
    await setTimeout(200);
  }
}

/** Processor seconds so far of the product's parts and of the PostgreSQL server. */
async function cpuOf({ pids }: Product): Promise<Record<string, number>> {
  const { database, ...others } = cpuSecondsByRole(pids());
  return { ...others, database: database || cpuMsOf(await postgresPids()) / 1_000 };
}

/**
 * `npm run bench:large`: companies that are filled by COPY with vectors of their own, on `DATABASE_URL`, whose database
 * must be empty at first. Loads a company for each size, or several that share its chunks, then measures each of them
 * and all together. Needs `npm run build` and an idle machine.
 */
import { parseArgs } from "node:util";
import { embedder } from "../../lib/ai/models.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { closeConnection, connection } from "../../lib/db/client.ts";
import { migrate } from "../../lib/db/migrate.ts";
import { selectCompanies } from "../../lib/db/system/companies.ts";
import { embeddingModelId } from "../../lib/db/system/models.ts";
import { tenantScope } from "../../lib/db/tenant.ts";
import { EXACT_CHUNKS_MAX } from "../../lib/search-index/vector-graph.ts";
import { startProviderServer } from "../../lib/testing/provider-server.ts";
import { flushQueryLog } from "../../lib/usage/record.ts";
import { sharesOf } from "../corpus.ts";
import { startServer } from "../server.ts";
import { withoutGraph } from "./graph.ts";
import { loadCompany } from "./load.ts";
import { memoryOf } from "./processes.ts";
import { figuresTogether, recallOf, searchFigures } from "./search.ts";

const { values } = parseArgs({
  options: {
    chunks: { type: "string", default: "" },
    companies: { type: "string", default: "1" },
    dimensions: { type: "string", default: "384" },
    queries: { type: "string", default: "100" },
    "only-load": { type: "boolean", default: false },
    "no-recall": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || !process.env.DATABASE_URL) {
  console.log(
    "DATABASE_URL=… npm run bench:large -- [--chunks 10000,300000] [--companies 1] [--dimensions 384] [--queries 100] [--only-load] [--no-recall]",
  );
  process.exit(values.help ? 0 : 2);
}

const NAME = "Bench ";

const provider = await startProviderServer({ dimensions: Number(values.dimensions) });
const variables = {
  OPENAI_BASE_URL: `${provider.url}/v1`,
  EMBEDDING_DIMENSIONS: values.dimensions,
  ANSWER_MODEL: "local",
};
Object.assign(process.env, variables);
await migrate();
await requireOwnCompanies();
for (const size of values.chunks.split(",").filter(Boolean)) {
  for (const chunks of sharesOf(Number(size), Number(values.companies))) await addCompany(chunks);
}
if (!values["only-load"]) await measureAll();
await flushQueryLog();
await closeConnection();
await provider.close();

/** Others would be embedded again by the test provider, and get keys without a rate limit. */
async function requireOwnCompanies(): Promise<void> {
  const others = (await selectCompanies()).filter(({ name }) => !name.startsWith(NAME));
  if (others.length > 0) throw new Error("the database has companies that are not of this benchmark. Use an empty one");
}

async function addCompany(chunks: number): Promise<void> {
  const { companyId } = tenantScope((await createCompany(CLI_ACTOR, { name: `${NAME}${chunks}` })).id);
  const model = await embedder();
  const modelId = await embeddingModelId(model);
  const load = { companyId, modelId, dimensions: model.dimensions, chunks, inGraph: chunks > EXACT_CHUNKS_MAX };
  const times = await withoutGraph({ companyId, model: { ...model, id: modelId } }, () =>
    loadCompany(connection().sql, load),
  );
  console.table([{ chunks, ...times }]);
}

/** Starts the product twice, because the first start after a load also reads files that are not in memory yet. */
async function measureAll(): Promise<void> {
  await (await startServer(variables)).stop();
  const server = await startServer(variables);
  try {
    const rows = [];
    const scopes = [];
    for (const { id, name, embeddingModelId: model } of await selectCompanies()) {
      // its load has not ended
      if (model === null) continue;
      const scope = tenantScope(id);
      scopes.push(scope);
      const found = values["no-recall"] ? {} : { recall10: await recallOf(scope) };
      for (const row of await searchFigures(server, scope, Number(values.queries))) {
        rows.push({ company: name, ...row, ...(row.search === "all" && found) });
        console.error(rows.at(-1));
      }
    }
    console.table(rows);
    if (scopes.length > 1) console.table(await figuresTogether(server, scopes));
    console.table([{ startMs: server.startMs, ...(await memoryOf(server.pids())) }]);
  } finally {
    await server.stop();
  }
}

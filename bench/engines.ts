/**
 * `npm run bench:engines`: requests per second and processor time of Ragstone beside bare pgvector and bare PGlite, on
 * the same chunks, in turns. The vectors of questions are cached. Needs `npm run build` and an idle machine.
 */
import { parseArgs } from "node:util";
import { roundVector, STEPS } from "../lib/ai/round-vector.ts";
import { createKey } from "../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../lib/audit/record.ts";
import { createCompany } from "../lib/companies/service.ts";
import { tenantScope } from "../lib/db/tenant.ts";
import { hashEmbedding } from "../lib/testing/hash-embedding.ts";
import { startProviderServer } from "../lib/testing/provider-server.ts";
import { type BareRow, barePglite, barePostgres, type Engine, type Query, vectorText } from "./bare-engines.ts";
import { documents, questions, sharesOf } from "./corpus.ts";
import { searchClient } from "./light-client.ts";
import { type Figures, measure, measureWithCpu, round, WARM_UP_REQUESTS } from "./measure.ts";
import { cpuMsOf } from "./server.ts";
import { withPostgres } from "./soak/postgres.ts";
import { addAndWait, type Product, withProduct } from "./soak/product.ts";

const DIMENSIONS = 512;
const CLIENTS = 8;
const ROUNDS = 5;
/** How often each question is asked in a round. */
const REPEATS = 3;
/** A tenth of the chunks have it. */
const RARE_AUDIENCE = "copilot";

const { values } = parseArgs({
  options: {
    chunks: { type: "string", default: "2500" },
    companies: { type: "string", default: "4" },
    queries: { type: "string", default: "200" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log("npm run bench:engines -- [--chunks 2500] [--companies 4] [--queries 200]");
  process.exit(0);
}
const [chunks, companies, queries] = [Number(values.chunks), Number(values.companies), Number(values.queries)];
const corpora = sharesOf(chunks, companies).map((count, company) => documents(count, company + 1));
const asked = questions(queries, 5).map(
  (text, index): Omit<Query, "audience"> => ({
    company: index % companies,
    text,
    vector: roundVector(hashEmbedding(text, DIMENSIONS), STEPS.question),
  }),
);

const provider = await startProviderServer({ dimensions: DIMENSIONS });
const variables = {
  OPENAI_BASE_URL: `${provider.url}/v1`,
  EMBEDDING_DIMENSIONS: String(DIMENSIONS),
  ANSWER_MODEL: "local",
};
await withProduct({ variables }, async (embedded) => {
  const ownEmbedded = ragstone("Ragstone, embedded", embedded, { tokens: await fillProduct(), bare: "bare PGlite" });
  const onServer = await withPostgres(console.error, ({ url }) =>
    withProduct({ variables, databaseUrl: url }, async (product) => {
      const tokens = await fillProduct();
      const bare = await barePostgres(url, bareRows());
      const beside = { tokens, bare: bare.name, databaseCpuMs: bare.serverCpuMs };
      const own = ragstone("Ragstone, PostgreSQL", product, beside);
      const withoutMemory = { ...variables, INDEX_MEMORY_MB: "0" };
      return withProduct({ variables: withoutMemory, databaseUrl: url }, async (other) => {
        const slow = ragstone("Ragstone, PostgreSQL, INDEX_MEMORY_MB=0", other, beside);
        return compare([own, slow, bare, ownEmbedded, await barePglite(bareRows())]);
      });
    }),
  );
  // PostgreSQL is not installed
  if (onServer === null) await compare([ownEmbedded, await barePglite(bareRows())]);
});
await provider.close();

/** Creates the companies and returns one key per company. */
async function fillProduct(): Promise<string[]> {
  const tokens: string[] = [];
  for (const [company, corpus] of corpora.entries()) {
    const scope = tenantScope((await createCompany(CLI_ACTOR, { name: `Bench ${company}` })).id);
    await addAndWait(scope, corpus);
    tokens.push((await createKey(scope, CLI_ACTOR, { name: "bench", rateLimitPerMinute: 0 })).token);
  }
  return tokens;
}

function bareRows(): BareRow[] {
  return corpora.flatMap((corpus, company) =>
    corpus.map(({ title, content, audience }, ordinal) => ({
      ...{ company, ordinal, content, audience: audience[0] ?? "" },
      embedding: vectorText(roundVector(hashEmbedding(`${title}\n${content}`, DIMENSIONS), STEPS.chunk)),
    })),
  );
}

interface Beside {
  /** One key per company. */
  tokens: string[];
  bare: string;
  /** Processor time of a database that is not among the product's processes. */
  databaseCpuMs?: () => number;
}

function ragstone(name: string, { url, pids }: Product, { tokens, bare, databaseCpuMs = () => 0 }: Beside): Engine {
  const search = searchClient(url);
  const idsOf = new Map<string, string>();
  return {
    name,
    bare,
    async ask({ company, text, audience }) {
      const request = { queryText: text, filters: audience ? { audience } : {} };
      const ids = (await search(tokens[company] ?? "", request)).join();
      const question = `${company} ${audience} ${text}`;
      if ((idsOf.get(question) ?? ids) !== ids) throw new Error(`${name} answered differently than before: ${text}`);
      idsOf.set(question, ids);
    },
    cpuMs: () => cpuMsOf(pids()) + databaseCpuMs(),
  };
}

/** Measures the engines in turns, so that noise of the machine affects all of them equally. */
async function compare(engines: Engine[]): Promise<void> {
  const table: Record<string, ReturnType<typeof medians> & { ofBare: number }> = {};
  for (const audience of [null, RARE_AUDIENCE]) {
    console.error(audience ? "asking with a filter" : "asking without a filter");
    const rounds = new Map(engines.map(({ name }): [string, Round[]] => [name, []]));
    const items = asked.map((query): Query => ({ ...query, audience }));
    // the first requests load the indexes in memory and embed the questions
    for (let sent = 0; sent < WARM_UP_REQUESTS; sent += items.length) {
      for (const engine of engines) await measure(items, CLIENTS, engine.ask);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const engine of engines) {
        const one = await measure(items.slice(0, items.length / 4), 1, engine.ask);
        const many = Array.from({ length: REPEATS }, () => items).flat();
        const { perSecond, cpuMs } = await measureWithCpu(many, CLIENTS, engine.ask, engine.cpuMs);
        rounds.get(engine.name)?.push({ ...one, perSecond, cpuMs });
      }
    }
    const medianOf = (name: string) => medians(rounds.get(name) ?? []);
    for (const { name, bare = name } of engines) {
      const ofBare = medianOf(name).perSecond8 / medianOf(bare).perSecond8;
      table[`${name}${audience ? ", 10 % filter" : ""}`] = {
        ...medianOf(name),
        ofBare: Math.round(ofBare * 100) / 100,
      };
    }
  }
  console.table(table);
}

interface Round extends Figures {
  cpuMs: number;
}

function medians(rounds: Round[]) {
  const of = (name: keyof Round) =>
    round(rounds.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0);
  return { perSecond8: of("perSecond"), cpuMs: of("cpuMs"), p50: of("p50"), p95: of("p95") };
}

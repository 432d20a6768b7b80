import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { closeConnection, connect, setConnection } from "../../lib/db/client.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { addSources } from "../../lib/knowledge/add.ts";
import { sourceInput } from "../../lib/knowledge/source-input.ts";
import { type Knowledge, knowledgeOf, resultsOf, unfinishedJobs } from "./knowledge-sums.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { withPostgres } from "./postgres.ts";
import type { ProcessRole } from "./process-samples.ts";
import { type Restartable, startRestartable } from "./restartable.ts";

const KILLS = 20;
const SHORT_KILLS = 2;
/** Sources that are given before each kill: new ones, and changes of earlier ones. */
const SOURCES_PER_KILL = 3;
/** From before the worker has claimed anything to well into its work. */
const LONGEST_WAIT_MS = 2_500;
const QUESTION_EVERY_MS = 250;
/** Retries and leases are over by then. */
const SETTLED_WITHIN_MS = 300_000;

/** Kills each process at random moments while sources come and questions are asked, and looks for what was lost. */
export const faults: Machine = {
  about: "kills the web server, the worker and the database at random moments, and looks for what was lost or doubled",
  async run(run) {
    const embedded = await onEmbedded(run);
    const server = await withPostgres(run.say, (databaseUrl, restart) =>
      killAll(run, "server", { DATABASE_URL: databaseUrl }, { url: databaseUrl }, restart),
    );
    return [...embedded, ...(server ?? [])];
  },
};

async function onEmbedded(run: MachineRun): Promise<Measured[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "ragstone-faults-"));
  try {
    return await killAll(run, "embedded", { DATA_DIR: dataDir, DATABASE_URL: "" }, { dataDir });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Target = Parameters<typeof connect>[0];

/** @param restart restarts a PostgreSQL server; the embedded database is a process of the product's own */
async function killAll(
  { random, short, say }: MachineRun,
  name: string,
  variables: Record<string, string>,
  target: Target,
  restart?: () => void,
): Promise<Measured[]> {
  const product = await startRestartable(variables);
  setConnection(connect(target));
  try {
    const [cut, clean] = [await newCompany("Cut"), await newCompany("Clean")];
    const given = new Map<string, string>();
    const questions = ask(product, cut.token);
    const kills = short ? SHORT_KILLS : KILLS;
    for (const victim of ["worker", "database", "web"] as const satisfies ProcessRole[]) {
      for (let kill = 0; kill < kills; kill++) {
        const sources = Array.from({ length: SOURCES_PER_KILL }, () => `source-${random.between(1, kills * 2)}`);
        for (const id of sources) given.set(id, textOf(id, random.between(1, 1_000)));
        await untilAccepted(cut.scope, sources, given);
        await setTimeout(random.next() * LONGEST_WAIT_MS);
        if (victim === "database" && restart) restart();
        else await product.kill(victim);
      }
      say(`${name}: the ${victim} was killed ${kills} times`);
    }
    const answers = await questions.end();
    await settled(cut.scope);
    await untilAccepted(clean.scope, [...given.keys()], given);
    await settled(clean.scope);
    return compare(name, await stateOf(product, cut), await stateOf(product, clean), given.size, answers);
  } finally {
    await closeConnection();
    await product.stop();
  }
}

interface Company {
  scope: TenantScope;
  token: string;
}

async function newCompany(name: string): Promise<Company> {
  const scope = tenantScope((await createCompany(CLI_ACTOR, { name })).id);
  return { scope, ...(await createKey(scope, CLI_ACTOR, { name: "faults", rateLimitPerMinute: 0 })) };
}

function textOf(id: string, edition: number): string {
  const part = (number: number) =>
    `## Part ${number}\n\nEdition ${edition} of ${id}: ${`clause ${number} holds. `.repeat(30)}`;
  return Array.from({ length: 1 + (edition % 5) }, (_, index) => part(index)).join("\n\n");
}

/** As a client would: what was not accepted is given again. */
async function untilAccepted(scope: TenantScope, ids: string[], given: ReadonlyMap<string, string>): Promise<void> {
  const sources = ids.map((sourceId) =>
    sourceInput.parse({ sourceType: "document", sourceId, title: sourceId, content: given.get(sourceId) }),
  );
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    try {
      await addSources(scope, CLI_ACTOR, sources);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await setTimeout(200);
    }
  }
}

/** Asks at a steady rate until told to end. @returns how many answers were neither 200 nor 503 while the server was up */
function ask(product: Restartable, token: string) {
  const answers = { asked: 0, wrong: 0 };
  const pending = new Set<Promise<void>>();
  const once = async () => {
    const wasUp = product.isUp();
    const url = product.url();
    const status = await askOnce(url, token, "what does part 2 say?").then(
      (response) => response.status,
      () => 0,
    );
    if (!wasUp || !product.isUp() || url !== product.url()) return;
    answers.asked++;
    if (status !== 200 && status !== 503) answers.wrong++;
  };
  const timer = setInterval(() => {
    const asked = once().finally(() => pending.delete(asked));
    pending.add(asked);
  }, QUESTION_EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(pending);
      return answers;
    },
  };
}

function askOnce(url: string, token: string, queryText: string): Promise<Response> {
  return fetch(`${url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ queryText, limit: 10 }),
    signal: AbortSignal.timeout(20_000),
  });
}

async function settled(scope: TenantScope): Promise<void> {
  const until = performance.now() + SETTLED_WITHIN_MS;
  while ((await unfinishedJobs(scope).catch(() => 1)) > 0 && performance.now() < until) await setTimeout(500);
}

interface State {
  knowledge: Knowledge;
  results: unknown[];
}

async function stateOf(product: Restartable, { scope, token }: Company): Promise<State> {
  const questions = Array.from({ length: 10 }, (_, index) => `what does part ${index % 5} of source ${index} hold?`);
  const responses = await Promise.all(questions.map((question) => askOnce(product.url(), token, question)));
  return {
    knowledge: await knowledgeOf(scope),
    results: await Promise.all(responses.map(async (response) => resultsOf(await response.json()))),
  };
}

function compare(
  name: string,
  cut: State,
  clean: State,
  sources: number,
  { asked, wrong }: { asked: number; wrong: number },
): Measured[] {
  const row = (promise: string, measured: string, kept: boolean) => ({
    promise: `${name}: ${promise}`,
    measured,
    kept,
  });
  const { ready, unfinished, unembedded, ...served } = cut.knowledge;
  const { ready: _, unfinished: __, unembedded: ___, ...wanted } = clean.knowledge;
  return [
    row("every accepted source is searchable", `${ready} of ${sources}`, ready === sources),
    row("no job is stuck", `${unfinished} unfinished`, unfinished === 0),
    row("no chunk is without its vector", `${unembedded} without`, unembedded === 0),
    row("chunks, words and places as in a clean run", JSON.stringify(served), isSame(served, wanted)),
    row("results and scores as in a clean run", `${cut.results.length} questions`, isSame(cut.results, clean.results)),
    row("nothing but 200 and 503 while the server runs", `${wrong} of ${asked} others`, wrong === 0),
  ];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

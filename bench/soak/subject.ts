import { setTimeout } from "node:timers/promises";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { closeConnection, connect, setConnection } from "../../lib/db/client.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { addSources } from "../../lib/knowledge/intake/add.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { type KnowledgeSums, knowledgeSums } from "../../lib/testing/knowledge-sums.ts";
import type { MachineRun, Measured } from "./machine.ts";
import { type Restartable, startRestartable } from "./restartable.ts";
import { resultsOf } from "./results-of.ts";

/** Number of source names, few enough that many sources change an existing one. */
const NAMES = 40;
const QUESTION_EVERY_MS = 250;
/** Time from the end of a fault until all accepted sources are searchable. */
const STUCK_AFTER_MS = 60_000;
const PATIENCE_MS = 300_000;

interface Company {
  scope: TenantScope;
  token: string;
}

/** The product under faults. One company keeps adding sources and asking questions. */
export interface Subject extends Pick<MachineRun, "random" | "short" | "say"> {
  product: Restartable;
  company: Company;
  /** Adds random new and changed sources, and retries until they are accepted. */
  give(count: number): Promise<void>;
  /** Kills the web server and restarts the tree. @param variables environment variables to change */
  restart(variables?: Record<string, string>): Promise<void>;
  /** Waits until all accepted sources are searchable. @returns milliseconds */
  settle(): Promise<number>;
}

interface SubjectOptions {
  /** Prefix of every promise. */
  name: string;
  variables: Record<string, string>;
  target: Parameters<typeof connect>[0];
}

/**
 * Runs the product while `harm` injects faults, then compares the company with a clean one that got the same sources
 * without faults: nothing is lost, duplicated or stuck, and callers saw no error except 503.
 * @returns the rows of `harm` and of the comparison
 */
export async function withSubject(
  { random, short, say }: MachineRun,
  { name, variables, target }: SubjectOptions,
  harm: (subject: Subject) => Promise<Measured[]>,
): Promise<Measured[]> {
  const product = await startRestartable(variables);
  setConnection(connect(target));
  let questions: ReturnType<typeof ask> | undefined;
  try {
    const [company, clean] = [await newCompany("Harmed"), await newCompany("Clean")];
    const given = new Map<string, string>();
    questions = ask(product, company.token);
    const own = await harm({
      random,
      short,
      say: (line) => say(`${name}: ${line}`),
      product,
      company,
      async give(count) {
        const ids = Array.from({ length: count }, () => `source-${random.between(1, NAMES)}`);
        for (const id of ids) given.set(id, textOf(id, random.between(1, 1_000)));
        await untilAccepted(company.scope, ids, given);
      },
      async restart(changed) {
        // the embedded database runs as long as a client is connected
        await closeConnection();
        await product.restart(changed);
        setConnection(connect(target));
      },
      settle: () => settle(company.scope),
    });
    const settledMs = await settle(company.scope);
    const answers = await questions.end();
    await untilAccepted(clean.scope, [...given.keys()], given);
    await settle(clean.scope);
    const states = { harmed: await stateOf(product, company), clean: await stateOf(product, clean) };
    const rows = [...own, ...compare(states, given.size), ...patienceRows(settledMs, answers)];
    return rows.map((row) => ({ ...row, promise: `${name}: ${row.promise}` }));
  } finally {
    await questions?.end();
    await closeConnection();
    await product.stop();
  }
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

/** Retries like a client until the sources are accepted. */
async function untilAccepted(scope: TenantScope, ids: string[], given: ReadonlyMap<string, string>): Promise<void> {
  const sources = [...new Set(ids)].map((sourceId) =>
    sourceInput.parse({ sourceType: "document", sourceId, title: sourceId, content: given.get(sourceId) }),
  );
  const until = performance.now() + PATIENCE_MS;
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

async function settle(scope: TenantScope): Promise<number> {
  const began = performance.now();
  const unfinished = () => knowledgeSums(scope).then((sums) => sums.unfinished);
  while ((await unfinished().catch(() => 1)) > 0 && performance.now() - began < PATIENCE_MS) {
    await setTimeout(250);
  }
  return performance.now() - began;
}

interface Answers {
  asked: number;
  /** Statuses other than 200 and 503 while the web server was running. */
  wrong: number[];
}

/** Asks one question after the other until stopped, so that a busy machine is not overloaded. */
function ask(product: Restartable, token: string) {
  const answers: Answers = { asked: 0, wrong: [] };
  let ended = false;
  const once = async () => {
    const [wasUp, url] = [product.isUp(), product.url()];
    const status = await askOnce(url, token, "what does part 2 say?").then(
      (response) => response.status,
      () => 0,
    );
    if (!wasUp || !product.isUp() || url !== product.url()) return;
    answers.asked++;
    if (status !== 200 && status !== 503) answers.wrong.push(status);
  };
  const asking = (async () => {
    while (!ended) {
      await once();
      await setTimeout(QUESTION_EVERY_MS);
    }
  })();
  return {
    async end(): Promise<Answers> {
      ended = true;
      await asking;
      return answers;
    },
  };
}

async function askOnce(url: string, token: string, queryText: string): Promise<Response> {
  const response = await fetch(`${url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ queryText, limit: 10 }),
    signal: AbortSignal.timeout(30_000),
  });
  const body = await response.arrayBuffer();
  return new Response(body, response);
}

interface State {
  knowledge: KnowledgeSums;
  results: unknown[];
}

async function stateOf(product: Restartable, { scope, token }: Company): Promise<State> {
  const results: unknown[] = [];
  for (let index = 0; index < 10; index++) {
    const response = await askOnce(product.url(), token, `what does part ${index % 5} of source ${index} hold?`);
    results.push(resultsOf(await response.json()));
  }
  return { knowledge: await knowledgeSums(scope), results };
}

function compare({ harmed, clean }: Record<"harmed" | "clean", State>, sources: number): Measured[] {
  const { ready, unfinished, unembedded } = harmed.knowledge;
  // chunks that are not purged yet may differ
  const [served, wanted] = [harmed, clean].map(({ knowledge: { live, words, places } }) => ({ live, words, places }));
  return [
    row("every accepted source is searchable", `${ready} of ${sources}`, ready === sources),
    row("no job is left over", `${unfinished} unfinished`, unfinished === 0),
    row("every chunk has its vector", `${unembedded} without a vector`, unembedded === 0),
    row("chunks, words and positions as without faults", JSON.stringify(served), isSame(served, wanted)),
    row(
      "results and scores as without faults",
      `${harmed.results.length} questions`,
      isSame(harmed.results, clean.results),
    ),
  ];
}

function patienceRows(settledMs: number, { asked, wrong }: Answers): Measured[] {
  const kinds = [...new Set(wrong)].join(", ");
  return [
    row(
      `everything is searchable within ${STUCK_AFTER_MS / 1_000} s after the last fault`,
      `${Math.round(settledMs / 100) / 10} s`,
      settledMs < STUCK_AFTER_MS,
    ),
    row(
      "only 200 and 503 while the server runs",
      `${wrong.length} of ${asked} others${kinds && `: ${kinds}`}`,
      wrong.length === 0,
    ),
  ];
}

export function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

import { fork } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { deleteCompany } from "../../lib/companies/service.ts";
import { connection } from "../../lib/db/client.ts";
import { addSources } from "../../lib/knowledge/intake/add.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { documents, questions } from "../corpus.ts";
import { percentiles } from "../measure.ts";
import { ATTACKS, type AttackName } from "./attacks.ts";
import { chosenParts, type Machine, type MachineRun, type Measured } from "./machine.ts";
import { onPostgres } from "./postgres.ts";
import type { ProcessRole } from "./process-samples.ts";
import { cpuSecondsByRole } from "./process-watch.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";
import type { Random } from "./random.ts";
import { resultsOf } from "./results-of.ts";
import { waitFor } from "./wait.ts";

const RATIO_MAX = 1.5;
const SEARCHABLE_WITHIN_MS = 10_000;
const SOURCES = 300;
const ROUNDS = { short: 1, full: 4 };
const PHASE_MS = { short: 4_000, full: 12_000 };
/** Time between the first answer to an attack and the measurement. */
const WARM_UP_MS = 1_500;
const QUESTION_EVERY_MS = 80;
const LINE_WAIT_MAX_MS = 60_000;
const IDLE_WITHIN_MS = 600_000;

/** Low enough to leave the processors to the product, high enough to keep it busy. */
const ATTACKER_NICENESS = 5;

/** What the quiet company measured in one phase. */
interface Phase {
  /** Milliseconds of each question. */
  questions: number[];
  /** Milliseconds from adding a source until a question found it. */
  lines: number[];
  refused: number;
}

/**
 * Measures a company that asks questions and adds sources, alternately with and without an attack by another company.
 */
export const neighbours: Machine = {
  about:
    "one company attacks while another works: its p95 stays within 1.5 times normal, new sources are found within 10 s",
  async run(run) {
    if (!run.postgres) return withProduct({}, (product) => measure(product, run));
    return onPostgres(({ url }) => withProduct({ databaseUrl: url }, (product) => measure(product, run)));
  },
};

async function measure(product: Product, run: MachineRun): Promise<Measured[]> {
  const tenant = await addTenant(product, "Quiet", contents(documents(SOURCES, run.seed)));
  const attacks = chosenParts(ATTACKS, (name) => name, run.only);
  // one for all attacks, because each time the company is alone is the same
  const calm = newPhase();
  const seen = new Map(attacks.map((name) => [name, newPhase()]));
  // not measured, because the first questions after a start take longer
  await runPhase(product, tenant, newPhase(), run);
  for (let round = 0; round < (run.short ? ROUNDS.short : ROUNDS.full); round++) {
    for (const [name, busy] of seen) {
      await runPhase(product, tenant, calm, run);
      const attack = await startAttack(product, name);
      const before = cpuSecondsByRole(product.pids());
      await runPhase(product, tenant, busy, run);
      run.say(`${name}: ${attack.calls()} calls, ${cpuSince(before, cpuSecondsByRole(product.pids()))}`);
      await attack.end();
    }
    run.say(`round ${round + 1} of ${attacks.length} attacks`);
  }
  return [...seen].flatMap(([name, busy]) => rowsOf(name, calm, busy));
}

function cpuSince(before: Record<ProcessRole, number>, now: Record<ProcessRole, number>): string {
  const parts = (["web", "worker", "database"] as const).map(
    (role) => `${role} ${(now[role] - before[role]).toFixed(1)} s`,
  );
  return `processor time: ${parts.join(", ")}`;
}

function newPhase(): Phase {
  return { questions: [], lines: [], refused: 0 };
}

function contents(given: { sourceId: string; content: string }[]): Record<string, string> {
  return Object.fromEntries(given.map(({ sourceId, content }) => [sourceId, content]));
}

/** Creates a company that attacks from a separate process, so that the attack does not delay the measurement. */
async function startAttack(product: Product, name: AttackName) {
  const { scope, token, cookie } = await addTenant(product, name, {});
  const child = fork(new URL("attacks.ts", import.meta.url), { execArgv: process.execArgv });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // lower priority, because a real attacker runs on other machines
  if (child.pid) setPriority(child.pid, getPriority() + ATTACKER_NICENESS);
  let calls = 0;
  const begun = new Promise<void>((resolve) => {
    child.on("message", () => {
      calls++;
      resolve();
    });
  });
  child.send({ name, attacker: { url: product.url, token, cookie, companyId: scope.companyId } });
  await Promise.race([begun, ended]);
  await setTimeout(WARM_UP_MS);
  return {
    /** What the product has answered to the attack so far. */
    calls: () => calls,
    async end() {
      if (child.exitCode) throw new Error(`The attack "${name}" failed.`);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await ended;
      await deleteCompany(scope, CLI_ACTOR);
      await untilIdle();
    },
  };
}

async function untilIdle(): Promise<void> {
  const unfinished = sql`select 1 from ragstone.jobs where state in ('queued', 'running') and run_after <= now() limit 1`;
  const isIdle = async () => (await connection().db.execute(unfinished)).length === 0;
  await waitFor("all jobs to end", isIdle, { limitMs: IDLE_WITHIN_MS, everyMs: 250 });
}

/** Runs the quiet company's normal work for one phase and until its new source is found. */
async function runPhase(product: Product, tenant: Tenant, phase: Phase, { random, short }: MachineRun): Promise<void> {
  const until = performance.now() + (short ? PHASE_MS.short : PHASE_MS.full);
  const line = addLine(product, tenant, random);
  let found = false;
  line.then(
    (ms) => phase.lines.push(ms),
    () => phase.refused++,
  );
  void line.finally(() => (found = true)).catch(() => undefined);
  const asked = questions(50, random.between(1, 1_000_000));
  for (let round = 0; performance.now() < until || !found; round++) {
    const began = performance.now();
    const { ok } = await ask(product, tenant, asked[round % asked.length] ?? "");
    phase.questions.push(performance.now() - began);
    if (!ok) phase.refused++;
    await setTimeout(QUESTION_EVERY_MS);
  }
}

/** @returns milliseconds until a question finds the source */
async function addLine(product: Product, { scope, token }: Tenant, random: Random): Promise<number> {
  const sourceId = `line-${random.between(1, 1_000_000_000)}`;
  const content = `The gate of ${sourceId} opens at noon.`;
  const began = performance.now();
  await addSources(scope, CLI_ACTOR, [
    sourceInput.parse({ sourceType: "document", sourceId, title: sourceId, content }),
  ]);
  while (performance.now() - began < LINE_WAIT_MAX_MS) {
    const { results } = await ask(product, { token }, `gate of ${sourceId}`);
    if (results.some((result) => result.sourceId === sourceId)) break;
    await setTimeout(200);
  }
  return performance.now() - began;
}

async function ask({ url }: Product, { token }: Pick<Tenant, "token">, queryText: string) {
  const response = await fetch(`${url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ queryText }),
  });
  const body: unknown = await response.json();
  return { ok: response.ok, results: response.ok ? resultsOf(body) : [] };
}

function rowsOf(name: AttackName, calm: Phase, busy: Phase): Measured[] {
  const [before, beside] = [percentiles(calm.questions), percentiles(busy.questions)];
  const ratio = beside.p95 / before.p95;
  const shown = ({ p50, p95 }: typeof before) => `p50 ${Math.round(p50)}, p95 ${Math.round(p95)} ms`;
  const longest = Math.max(...busy.lines);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    {
      promise: `${name}: p95 within ${RATIO_MAX} times normal`,
      measured: `${ratio.toFixed(2)}: ${shown(before)} → ${shown(beside)} of ${busy.questions.length}`,
      kept: ratio <= RATIO_MAX,
    },
    {
      promise: `${name}: a new source is found within ${SEARCHABLE_WITHIN_MS / 1_000} s`,
      measured: `${seconds(Math.max(...calm.lines))} → ${seconds(longest)} max`,
      kept: longest < SEARCHABLE_WITHIN_MS,
    },
    {
      promise: `${name}: no request is refused`,
      measured: `${calm.refused} → ${busy.refused}`,
      kept: calm.refused + busy.refused === 0,
    },
  ];
}

import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { connection } from "../../lib/db/client.ts";
import { everythingOf, type FilledCompany, filledCompany } from "../../lib/testing/filled-company.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { withPostgres } from "./postgres.ts";
import { withProduct } from "./product.ts";
import { keysOf, probeRequests, showingOwn } from "./tenant-requests.ts";
import { AUTH_SECRET } from "./tenant-send.ts";
import { LAYERS, type Layer, probeServices, switchRowSecurity } from "./tenant-services.ts";
import { discoverTargets, type Target } from "./tenant-targets.ts";
import { searchForSecrets } from "./tenant-traces.ts";
import { interleave } from "./tenant-transactions.ts";

/** Over HTTP, of both databases. */
const PROBES = 20_000;
const PROBES_SHORT = 2_000;
const TRANSACTIONS = 10_000;
const TRANSACTIONS_SHORT = 1_000;
/** Of every service method, for each layer and each direction. */
const ROUNDS = 10;
/** The log is written after less. */
const SETTLED_MS = 3_000;

interface Stage extends MachineRun {
  name: string;
  url: string;
  companies: [FilledCompany, FilledCompany];
  /** How many databases share the probes. */
  databases: number;
}

/** Two companies, each after what the other has, by everything that answers. */
export const tenants: Machine = {
  about: "asks every page, route, action and service for another company's data, and takes each layer away in turn",
  async run(run) {
    const onServer = await withPostgres(run.say, ({ url }) => onDatabase("server", { databaseUrl: url }, 2, run));
    const embedded = await onDatabase("embedded", {}, onServer ? 2 : 1, run);
    return [...embedded, ...(onServer ?? [])];
  },
};

async function onDatabase(
  name: string,
  database: { databaseUrl?: string },
  databases: number,
  run: MachineRun,
): Promise<Measured[]> {
  let output = "";
  const variables = { AUTH_SECRET, LOG_LEVEL: "debug" };
  const onOutput = (text: string) => {
    output += text;
  };
  return withProduct({ ...database, variables, onOutput }, async ({ url }) => {
    const companies: Stage["companies"] = [await filledCompany("gneissite"), await filledCompany("kyanitic")];
    const stage: Stage = { ...run, name, url, companies, databases };
    const rows: Measured[] = [];
    const tokens: string[] = [];
    const targets = await discoverTargets(url);
    rows.push(await seeing(stage, targets));
    for (const layer of LAYERS) {
      // its own database, in which nobody else's data stand
      if (layer === "tenant scope alone") await switchRowSecurity("disable");
      if (layer !== "row-level security alone") rows.push(await overHttp(stage, layer, targets, tokens));
      rows.push(await byServices(stage, layer));
      await switchRowSecurity("enable");
    }
    const transactions = run.short ? TRANSACTIONS_SHORT : TRANSACTIONS;
    const mixed = await interleave(companies, { count: transactions, random: run.random });
    rows.push({
      promise: `${name}: interleaved transactions see their own company alone`,
      measured: `${mixed} of ${transactions} saw another`,
      kept: mixed === 0,
    });
    const traces = await searchForSecrets(companies, tokens, output);
    for (const trace of traces) run.say(`${name}: ${trace}`);
    rows.push({
      promise: `${name}: no key, password or other company's word in rows and logs`,
      measured: `${traces.length} in ${output.length} characters of logs and all rows`,
      kept: traces.length === 0,
    });
    return rows;
  });
}

async function seeing({ name, url, companies, say }: Stage, targets: Target[]): Promise<Measured> {
  const shown = await showingOwn(url, companies[0], targets);
  say(`${name}: ${targets.length} targets, ${shown.length} show a company its own`);
  return {
    promise: `${name}: the probes see what a company has itself`,
    measured: `in ${shown.length} pages and downloads`,
    kept: shown.length > 10,
  };
}

async function byServices(stage: Stage, layer: Layer): Promise<Measured> {
  const { companies, random, short } = stage;
  const rounds = short ? 1 : ROUNDS;
  const reports = [];
  for (const [company, victim] of bothWays(companies)) {
    // what it did itself as the other's attacker
    await settled(victim);
    reports.push(await probeServices(company, victim, layer, { rounds, random }));
  }
  return measured(stage, `${layer}: services show and change nothing of another company`, reports);
}

async function overHttp(stage: Stage, layer: Layer, targets: Target[], tokens: string[]): Promise<Measured> {
  const { url, companies, databases, random, short } = stage;
  const reports = [];
  // with both layers and without row-level security, in both directions
  const count = (short ? PROBES_SHORT : PROBES) / databases / 4;
  for (const [company, victim] of bothWays(companies)) {
    const own = await keysOf(company, victim);
    tokens.push(...own);
    const before = await settled(victim);
    const attack = { company, victim, targets, tokens: own, count, random };
    const { probes, leaks, taken } = await probeRequests(url, attack);
    stage.say(`${stage.name}, ${layer}: ${taken.size} of ${targets.length} targets took a probe of ${company.word}`);
    const after = await settled(victim);
    reports.push({ probes, leaks: [...leaks, ...changesBetween(before, after)] });
  }
  return measured(stage, `${layer}: HTTP shows and changes nothing of another company`, reports);
}

function bothWays<Item>([first, second]: readonly [Item, Item]): readonly (readonly [Item, Item])[] {
  return [
    [first, second],
    [second, first],
  ];
}

/** Everything that a company has, once nothing of it is worked on or changes by itself any more. */
async function settled({ scope }: FilledCompany): Promise<Record<string, string[]>> {
  let before = await everythingOf(scope);
  for (;;) {
    await setTimeout(SETTLED_MS);
    const now = await everythingOf(scope);
    if (isDeepStrictEqual(before, now) && !(await isWorkedOn(scope))) return now;
    before = now;
  }
}

async function isWorkedOn({ companyId }: FilledCompany["scope"]): Promise<boolean> {
  const [open] = await connection().db.execute(sql`
    select 1 from ragstone.jobs
    where company_id = ${companyId} and (state = 'running' or state = 'queued' and run_after < now() + interval '1 minute')`);
  return open !== undefined;
}

function changesBetween(before: Record<string, string[]>, after: Record<string, string[]>): string[] {
  return Object.keys(before).flatMap((table) => {
    const rows = after[table]?.filter((row) => !before[table]?.includes(row)) ?? [];
    if (isDeepStrictEqual(before[table], after[table])) return [];
    return `${table} of the other company changed: ${rows.join(" ").slice(0, 300)}`;
  });
}

function measured({ name, say }: Stage, promise: string, reports: { probes: number; leaks: string[] }[]): Measured {
  const leaks = reports.flatMap((report) => report.leaks);
  for (const leak of new Set(leaks)) say(`${name}, ${promise}: ${leak}`);
  const probes = reports.reduce((sum, report) => sum + report.probes, 0);
  return { promise: `${name}, ${promise}`, measured: `${leaks.length} of ${probes} probes`, kept: leaks.length === 0 };
}

import { randomUUID } from "node:crypto";
import { relabelSources } from "../../lib/knowledge/intake/relabel.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import { type Machine, type MachineRun, type Measured, reportRows, skipped } from "./machine.ts";
import { NO_POSTGRES, withPostgres } from "./postgres.ts";
import { addFilled, type Product, withProduct } from "./product.ts";
import { keysOf } from "./tenant-keys.ts";
import { type Reach, reachTargets } from "./tenant-reach.ts";
import { probeRequests } from "./tenant-requests.ts";
import { AUTH_SECRET } from "./tenant-send.ts";
import { ALL_ROUNDS, LAYERS, type Layer, probeServices, switchRowSecurity } from "./tenant-services.ts";
import { changesBetween, maintainNow, settledState } from "./tenant-state.ts";
import { discoverTargets, type Target } from "./tenant-targets.ts";
import { searchForSecrets } from "./tenant-traces.ts";
import { interleave } from "./tenant-transactions.ts";

/** Pages, downloads and operations that show a company its own data, at least. */
const SHOWING_MIN = 30;
/** Total HTTP probes on both databases. */
const PROBES = 20_000;
const PROBES_SHORT = 2_000;
const TRANSACTIONS = 10_000;
const TRANSACTIONS_SHORT = 1_000;

interface Stage extends MachineRun {
  name: string;
  product: Product;
  companies: [FilledCompany, FilledCompany];
  /** Number of databases that share the probes. */
  databases: number;
}

/** Two companies try to get each other's data from every target. */
export const tenants: Machine = {
  about:
    "requests another company's data from every page, route, action and service, with each layer switched off in turn",
  async run(run) {
    const onServer = await withPostgres(run.say, ({ url }) => onDatabase("server", { databaseUrl: url }, 2, run));
    const embedded = await onDatabase("embedded", {}, onServer ? 2 : 1, run);
    return [...embedded, ...(onServer ?? [skipped("server", NO_POSTGRES)])];
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
  return withProduct({ ...database, variables, onOutput }, async (product) => {
    const companies: Stage["companies"] = [await addFilled(product, "gneissite"), await addFilled(product, "kyanitic")];
    const stage: Stage = { ...run, name, product, companies, databases };
    const rows: Measured[] = [];
    const add = (row: Measured) => rows.push(...reportRows(run.say, [row]));
    const tokens: string[] = [];
    const targets = await discoverTargets(product.url);
    const reach = await reachOwn(stage, targets, tokens);
    for (const row of reachRows(stage, targets, reach)) add(row);
    for (const layer of LAYERS) {
      // safe in a scratch database
      if (layer === "tenant scope alone") await switchRowSecurity("disable");
      if (layer !== "row-level security alone") add(await probeOverHttp(stage, layer, { targets, tokens, reach }));
      add(await probeByServices(stage, layer));
      await switchRowSecurity("enable");
    }
    const transactions = run.short ? TRANSACTIONS_SHORT : TRANSACTIONS;
    const mixed = await interleave(companies, { count: transactions, random: run.random });
    add({
      promise: `${name}: interleaved transactions see only their own company`,
      measured: `${mixed} of ${transactions} saw another company`,
      kept: mixed === 0,
    });
    const traces = await searchForSecrets(companies, tokens, output);
    for (const trace of traces) run.say(`${name}: ${trace}`);
    add({
      promise: `${name}: no key, password or word of another company in rows and logs`,
      measured: `${traces.length} in ${output.length} characters of logs and all rows`,
      kept: traces.length === 0,
    });
    return rows;
  });
}

/** Tries the targets as a third company, because this changes and deletes its data. */
async function reachOwn({ product }: Stage, targets: Target[], tokens: string[]): Promise<Reach> {
  const company = await addFilled(product, "andesine");
  const own = await keysOf(company, company);
  tokens.push(...own);
  return reachTargets(product.url, company, { targets, tokens: own });
}

function reachRows({ name, say }: Stage, targets: Target[], { showing, missed }: Reach): Measured[] {
  for (const target of missed) say(`${name}: refused every request with the company's own ids: ${target}`);
  return [
    {
      promise: `${name}: every page, route, action and operation accepts the company's own ids`,
      measured: `${missed.length} of ${targets.length} refused`,
      kept: missed.length === 0,
    },
    {
      promise: `${name}: the probes see the company's own data`,
      measured: `in ${showing.length} responses`,
      kept: showing.length > SHOWING_MIN,
    },
  ];
}

async function probeByServices(stage: Stage, layer: Layer): Promise<Measured> {
  const { companies, short } = stage;
  const rounds = short ? 1 : ALL_ROUNDS;
  const reports = [];
  for (const [company, victim] of bothWays(companies)) {
    const relabelled = await relabelAgain(victim);
    // waits for its own jobs from the round in which it was the attacker
    await settledState(victim);
    reports.push(await probeServices(company, relabelled, layer, rounds));
  }
  return measured(stage, `${layer}: services do not show or change another company's data`, reports);
}

/** Changes labels under a new id, because the attacker may have stored every id that its HTTP probes sent. */
async function relabelAgain(company: FilledCompany): Promise<FilledCompany> {
  const { scope, admin, sourceId, word } = company;
  const relabelId = randomUUID();
  const labels = { path: [word, relabelId.slice(0, 8)] };
  const [relabelled] = await relabelSources(scope, admin, [sourceId], labels, { relabelId });
  if (!relabelled) throw new Error(`The labels of ${company.word} were not changed.`);
  return { ...company, relabelId, versionId: relabelled.versionId };
}

interface Http {
  targets: Target[];
  /** Gets the tokens of all keys that were made. */
  tokens: string[];
  reach: Reach;
}

async function probeOverHttp(stage: Stage, layer: Layer, { targets, tokens, reach }: Http): Promise<Measured> {
  const { product, companies, databases, random, short } = stage;
  const reports = [];
  // divided by 4: both layers and tenant scope alone, each in two directions
  const count = (short ? PROBES_SHORT : PROBES) / databases / 4;
  for (const [company, victim] of bothWays(companies)) {
    const own = await keysOf(company, victim);
    tokens.push(...own);
    await maintainNow(victim);
    const before = await settledState(victim);
    const attack = { company, victim, targets, tokens: own, fitting: reach.fitting, count, random };
    const { probes, leaks } = await probeRequests(product.url, attack);
    const after = await settledState(victim);
    reports.push({ probes, leaks: [...leaks, ...changesBetween(before, after)] });
  }
  return measured(stage, `${layer}: HTTP does not show or change another company's data`, reports);
}

function bothWays<Item>([first, second]: readonly [Item, Item]): readonly (readonly [Item, Item])[] {
  return [
    [first, second],
    [second, first],
  ];
}

function measured({ name, say }: Stage, promise: string, reports: { probes: number; leaks: string[] }[]): Measured {
  const leaks = reports.flatMap((report) => report.leaks);
  for (const leak of new Set(leaks)) say(`${name}, ${promise}: ${leak}`);
  const probes = reports.reduce((sum, report) => sum + report.probes, 0);
  return { promise: `${name}, ${promise}`, measured: `${leaks.length} of ${probes} probes`, kept: leaks.length === 0 };
}

/** `npm run soak`: runs the long checks and prints for each a seed and a table of promises and measurements. */
import { parseArgs } from "node:util";
import { broken, type Machine, type MachineRun, type Measured } from "./machine.ts";
import { createRandom } from "./random.ts";

const machines: Record<string, () => Promise<Machine>> = {
  contract: async () => (await import("./contract.ts")).contract,
  crowd: async () => (await import("./crowd.ts")).crowd,
  faults: async () => (await import("./faults.ts")).faults,
  files: async () => (await import("./files.ts")).files,
  hour: async () => (await import("./steady.ts")).steady,
  "large-text": async () => (await import("./large-text.ts")).largeText,
  neighbours: async () => (await import("./neighbours.ts")).neighbours,
  outage: async () => (await import("./outage.ts")).outage,
  overload: async () => (await import("./overload.ts")).overload,
  providers: async () => (await import("./providers.ts")).providers,
  queue: async () => (await import("./queue.ts")).queue,
  "slow-clients": async () => (await import("./slow-clients.ts")).slowClients,
  store: async () => (await import("./store.ts")).store,
  tenants: async () => (await import("./tenants.ts")).tenants,
};

const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string" },
    short: { type: "boolean", default: false },
    minutes: { type: "string" },
    rate: { type: "string" },
    only: { type: "string" },
    postgres: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(machines, name));
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`Unknown check: ${unknown}.`);
  console.log(
    "npm run soak -- [check …] [--seed number] [--short] [--minutes number] [--rate number] [--only text] [--postgres]",
  );
  for (const [name, load] of Object.entries(machines)) console.log(`  ${name.padEnd(12)} ${(await load()).about}`);
  process.exit(unknown === undefined ? 0 : 1);
}

const KEPT = { true: "yes", false: "NO", skipped: "skipped" };
const { short, postgres } = values;
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const length = values.minutes === undefined ? {} : { minutes: Number(values.minutes) };
const pace = values.rate === undefined ? {} : { rate: Number(values.rate) };
const part = values.only === undefined ? {} : { only: values.only };
const names = positionals.length > 0 ? positionals : Object.keys(machines);
let notKept = 0;
for (const name of names) {
  const say = (line: string) => console.log(`${name}: ${line}`);
  say(`seed ${seed}`);
  const random = createRandom(seed);
  const rows = await rowsOf(name, { random, seed, short, postgres, say, ...length, ...pace, ...part });
  printRows(name, rows);
  notKept += rows.filter(({ kept }) => kept === false).length;
}
// a check that ended early may have left a wait behind
process.exit(notKept === 0 ? 0 : 1);

/** A check that ends early or checks nothing keeps no promise, and the others still run. */
async function rowsOf(name: string, run: MachineRun): Promise<Measured[]> {
  try {
    const rows = (await (await machines[name]?.())?.run(run)) ?? [];
    return rows.length > 0 ? rows : [broken(name, "it measured nothing")];
  } catch (error) {
    console.error(error);
    return [broken(name, error)];
  }
}

/** Prints as soon as a check ends, because a later one may be interrupted. */
function printRows(machine: string, rows: Measured[]): void {
  console.table(rows.map(({ kept, ...row }) => ({ machine, ...row, kept: KEPT[`${kept}`] })));
}

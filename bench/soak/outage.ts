import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { embeddedConnectionOptions } from "../../lib/db/embedded/index.ts";
import { socketPath } from "../../lib/db/embedded/socket.ts";
import { lockHolder } from "../../lib/folder-lock.mjs";
import { countedTexts } from "./answer-fault.ts";
import { broken, chosenParts, type Machine, type Measured, skipped } from "./machine.ts";
import { OutageLoad } from "./outage-load.ts";
import { NO_POSTGRES, type PostgresServer, withPostgres } from "./postgres.ts";
import { addTenant, type Product, withProduct } from "./product.ts";
import { waitFor } from "./wait.ts";

const ANSWER_WITHIN_MS = 3_000;
const RECOVERED_WITHIN_MS = 2_000;
const BACK_WITHIN_MS = 60_000;

/** One kind of database outage. */
interface Outage {
  name: string;
  begin(): Promise<void> | void;
  /** Ends the outage; missing when the product itself recovers. */
  end?(): Promise<void> | void;
  lastsMs: number;
}

/** Makes the database unavailable under steady load. */
export const outage: Machine = {
  about: "stops and restarts the database under load: 503 within 3 s, recovered within 2 s after its return",
  async run({ short, say, only }) {
    const rows: Measured[] = [];
    for (const [name, part] of chosenParts(Object.entries(PARTS), ([name]) => name, only)) {
      rows.push(...(await part(short, say).catch((error: unknown) => [broken(name, error)])));
    }
    return rows;
  },
};

type Say = (line: string) => void;

const PARTS: Record<string, (short: boolean, say: Say) => Promise<Measured[]>> = {
  embedded: (short, say) =>
    withProduct({}, async (product) =>
      measureAll(product, embeddedOutages(product, short), embeddedConnectionOptions(product.dataDir), say),
    ),
  server: onServer,
};

function embeddedOutages({ dataDir }: Product, short: boolean): Outage[] {
  const signal = async (name: NodeJS.Signals) => {
    const pid = await lockHolder(dataDir, socketPath(dataDir));
    if (!pid) throw new Error("the embedded database does not run");
    process.kill(pid, name);
  };
  const killed = { begin: () => signal("SIGKILL"), lastsMs: 0 };
  const frozen = { begin: () => signal("SIGSTOP"), end: () => signal("SIGCONT"), lastsMs: short ? 4_000 : 8_000 };
  const outages = [
    { name: "embedded, killed", ...killed },
    { name: "embedded, frozen", ...frozen },
  ];
  return short ? outages : [...outages, { name: "embedded, killed again", ...killed }];
}

function serverOutages({ stop, kill, restart }: PostgresServer, short: boolean): Outage[] {
  const lastsMs = short ? 3_000 : 15_000;
  return [
    { name: "server, restarted", begin: restart, lastsMs: 0 },
    { name: "server, stopped for seconds", begin: stop, end: restart, lastsMs },
    { name: "server, killed", begin: kill, end: restart, lastsMs: short ? 1_000 : 3_000 },
  ];
}

async function onServer(short: boolean, say: Say): Promise<Measured[]> {
  const rows = await withPostgres(say, (server) => {
    const { url } = server;
    const { hostname: host, port } = new URL(url);
    const database = { host, port: Number(port), user: "postgres", database: "postgres" };
    return withProduct({ databaseUrl: url }, (product) =>
      measureAll(product, serverOutages(server, short), database, say),
    );
  });
  return rows ?? [skipped("server", NO_POSTGRES)];
}

async function measureAll(
  product: Product,
  outages: Outage[],
  database: postgres.Options<Record<string, never>>,
  say: Say,
): Promise<Measured[]> {
  const tenant = await addTenant(product, "Outage", { opening: "The museum opens at nine and closes at six." });
  const rows: Measured[] = [];
  for (const each of outages) {
    const load = new OutageLoad(product.url, tenant);
    const measured = await measure(load, each, database, say).catch((error: unknown) => [broken(each.name, error)]);
    await load.stop();
    rows.push(...measured);
  }
  return rows;
}

async function measure(
  load: OutageLoad,
  { name, begin, end, lastsMs }: Outage,
  database: postgres.Options<Record<string, never>>,
  say: Say,
): Promise<Measured[]> {
  load.start();
  await load.untilCalm();
  const began = performance.now();
  await begin();
  await setTimeout(lastsMs);
  await end?.();
  const back = await untilBack(database);
  await load.untilCalm();
  const answers = await load.stop();
  const after = answers.filter(({ at, ms }) => at + ms >= began);
  const during = after.filter(({ at }) => at <= back);
  const failed = after.filter(({ status }) => status !== 200);
  const wrong = after.filter(({ fault }) => fault !== null);
  const lastFailure = Math.max(began, ...failed.map(({ at, ms }) => at + ms));
  const longest = Math.max(0, ...failed.map(({ ms }) => ms));
  const slow = failed.filter(({ ms }) => ms > ANSWER_WITHIN_MS);
  const late = failed.filter(({ at }) => at > back + RECOVERED_WITHIN_MS);
  for (const { path, at, status, fault, ms } of new Set([...wrong, ...slow, ...late])) {
    say(`${name}: ${path} requested ${seconds(at - back)} after the return: ${fault ?? status} after ${seconds(ms)}`);
  }
  return [
    row(
      `${name}: requests met the outage`,
      `${during.length} in ${seconds(back - began)}, ${failed.length} refused`,
      // a short outage may only delay them
      during.length > 0 && (lastsMs === 0 || failed.length > 0),
    ),
    row(`${name}: every refusal within ${seconds(ANSWER_WITHIN_MS)}`, seconds(longest), longest < ANSWER_WITHIN_MS),
    row(
      `${name}: only answers with results, or 503 with Retry-After`,
      `others: ${countedTexts(wrong.map(({ fault }) => `${fault}`))}`,
      wrong.length === 0,
    ),
    row(
      `${name}: only 200 from ${seconds(RECOVERED_WITHIN_MS)} after the return`,
      seconds(Math.max(0, lastFailure - back)),
      lastFailure - back < RECOVERED_WITHIN_MS,
    ),
  ];
}

/** Waits until the database accepts a new connection. @returns the time */
async function untilBack(options: postgres.Options<Record<string, never>>): Promise<number> {
  const tryOnce = async () => {
    const sql = postgres({ ...options, max: 1, connect_timeout: 1, onnotice: () => undefined });
    const answered = await sql`select 1`.then(
      () => true,
      () => false,
    );
    const now = performance.now();
    await sql.end({ timeout: 0 });
    return answered && now;
  };
  return waitFor("the database to return", tryOnce, { limitMs: BACK_WITHIN_MS });
}

function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { embeddedConnectionOptions } from "../../lib/db/embedded/index.ts";
import { socketPath } from "../../lib/db/embedded/socket.ts";
import { lockHolder } from "../../lib/folder-lock.mjs";
import type { Machine, Measured } from "./machine.ts";
import { withPostgres } from "./postgres.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";

const ANSWER_WITHIN_MS = 3_000;
const RECOVERED_WITHIN_MS = 2_000;
const REQUESTS_PER_SECOND = 10;
/** The product counts as recovered after this time without an error. */
const CALM_MS = 3_000;

interface Answer {
  path: string;
  /** Time of the request. */
  at: number;
  ms: number;
  /** 0 when the connection broke. */
  status: number;
  retryAfter: boolean;
}

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
  async run({ short, say }) {
    const embedded = await withProduct({}, async (product) =>
      measureAll(product, embeddedOutages(product, short), embeddedConnectionOptions(product.dataDir), say),
    );
    return [...embedded, ...(await onServer(short, say))];
  },
};

function embeddedOutages({ dataDir }: Product, short: boolean): Outage[] {
  const signal = async (name: NodeJS.Signals) => {
    const pid = await lockHolder(dataDir, socketPath(dataDir));
    if (pid) process.kill(pid, name);
  };
  const killed = { begin: () => signal("SIGKILL"), lastsMs: 0 };
  const frozen = { begin: () => signal("SIGSTOP"), end: () => signal("SIGCONT"), lastsMs: short ? 4_000 : 8_000 };
  const outages = [
    { name: "embedded, killed", ...killed },
    { name: "embedded, frozen", ...frozen },
  ];
  return short ? outages : [...outages, { name: "embedded, killed again", ...killed }];
}

async function onServer(short: boolean, say: (line: string) => void): Promise<Measured[]> {
  const rows = await withPostgres(say, ({ url, stop, restart }) => {
    const outages = [
      { name: "server, restarted", begin: restart, lastsMs: 0 },
      { name: "server, stopped for seconds", begin: stop, end: restart, lastsMs: short ? 3_000 : 15_000 },
    ];
    const { hostname: host, port } = new URL(url);
    const database = { host, port: Number(port), user: "postgres", database: "postgres" };
    return withProduct({ databaseUrl: url }, (product) => measureAll(product, outages, database, say));
  });
  return rows ?? [];
}

async function measureAll(
  product: Product,
  outages: Outage[],
  database: postgres.Options<Record<string, never>>,
  say: (line: string) => void,
): Promise<Measured[]> {
  const tenant = await addTenant(product, "Outage", { opening: "The museum opens at nine and closes at six." });
  const rows: Measured[] = [];
  for (const each of outages) rows.push(...(await measure(product, tenant, each, database, say)));
  return rows;
}

async function measure(
  { url }: Product,
  tenant: Tenant,
  { name, begin, end, lastsMs }: Outage,
  database: postgres.Options<Record<string, never>>,
  say: (line: string) => void,
): Promise<Measured[]> {
  const load = new Load(url, tenant);
  load.start();
  await load.untilCalm();
  const began = performance.now();
  await begin();
  await setTimeout(lastsMs);
  await end?.();
  const back = await untilBack(database);
  await load.untilCalm();
  const answers = await load.stop();
  const during = answers.filter(({ at, ms }) => at + ms >= began);
  const failed = during.filter(({ status }) => status !== 200);
  const wrong = failed.filter(({ status, retryAfter }) => status !== 503 || !retryAfter);
  const lastFailure = Math.max(began, ...failed.map(({ at, ms }) => at + ms));
  const longest = Math.max(0, ...failed.map(({ ms }) => ms));
  say(`${name}: unavailable for ${seconds(back - began)}, ${failed.length} of ${during.length} requests refused`);
  const slow = failed.filter(({ ms }) => ms > ANSWER_WITHIN_MS);
  const late = failed.filter(({ at }) => at > back + RECOVERED_WITHIN_MS);
  for (const { path, at, status, ms } of new Set([...wrong, ...slow, ...late])) {
    say(`${name}: ${path} requested ${seconds(at - back)} after the return: ${status} after ${seconds(ms)}`);
  }
  return [
    row(`${name}: every refusal within ${seconds(ANSWER_WITHIN_MS)}`, seconds(longest), longest < ANSWER_WITHIN_MS),
    row(`${name}: only 200, or 503 with Retry-After`, `${wrong.length} others`, wrong.length === 0),
    row(
      `${name}: only 200 from ${seconds(RECOVERED_WITHIN_MS)} after the return`,
      seconds(Math.max(0, lastFailure - back)),
      lastFailure - back < RECOVERED_WITHIN_MS,
    ),
  ];
}

/** Sends requests to the API, a page and a download in turn, at a steady rate that does not wait for responses. */
class Load {
  readonly answers: Answer[] = [];
  readonly #url: string;
  readonly #paths: [string, RequestInit][];
  readonly #pending = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, { token, cookie, scope }: Tenant) {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const question = JSON.stringify({ queryText: "When does the museum open?" });
    this.#url = url;
    this.#paths = [
      ["/v1/api/status", { headers }],
      ["/v1/api/rag/retrieve", { method: "POST", headers, body: question }],
      ["/knowledge", { headers: { Cookie: cookie } }],
      [`/usage/requests/csv?company=${scope.companyId}`, { headers: { Cookie: cookie } }],
    ];
  }

  start(): void {
    let sent = 0;
    this.#timer = setInterval(() => {
      const [path, init] = this.#paths[sent++ % this.#paths.length] ?? ["/", {}];
      const asked = this.#ask(path, init).finally(() => this.#pending.delete(asked));
      this.#pending.add(asked);
    }, 1_000 / REQUESTS_PER_SECOND);
  }

  async untilCalm(): Promise<void> {
    const since = performance.now();
    for (;;) {
      await setTimeout(200);
      const failed = this.answers.findLast(({ status }) => status !== 200);
      const calmSince = Math.max(since, failed ? failed.at + failed.ms : 0);
      if (performance.now() - calmSince > CALM_MS || performance.now() - since > 60_000) return;
    }
  }

  async stop(): Promise<Answer[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    return this.answers;
  }

  async #ask(path: string, init: RequestInit): Promise<void> {
    const at = performance.now();
    const timeout = AbortSignal.timeout(30_000);
    try {
      const response = await fetch(this.#url + path, { ...init, redirect: "manual", signal: timeout });
      await response.arrayBuffer();
      const retryAfter = response.headers.has("retry-after");
      this.answers.push({ path, at, ms: performance.now() - at, status: response.status, retryAfter });
    } catch {
      this.answers.push({ path, at, ms: performance.now() - at, status: 0, retryAfter: false });
    }
  }
}

/** Waits until the database accepts a new connection. @returns the time */
async function untilBack(options: postgres.Options<Record<string, never>>): Promise<number> {
  for (;;) {
    const sql = postgres({ ...options, max: 1, connect_timeout: 1, onnotice: () => undefined });
    const answered = await sql`select 1`.then(
      () => true,
      () => false,
    );
    const now = performance.now();
    await sql.end({ timeout: 0 });
    if (answered) return now;
    await setTimeout(50);
  }
}

function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

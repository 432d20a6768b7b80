import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { embeddedConnectionOptions } from "../../lib/db/embedded/index.ts";
import { lockHolder } from "../../lib/db/embedded/lock.ts";
import { socketPath } from "../../lib/db/embedded/socket.ts";
import type { Machine, Measured } from "./machine.ts";
import { withPostgres } from "./postgres.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";

const ANSWER_WITHIN_MS = 3_000;
const WELL_AGAIN_WITHIN_MS = 2_000;
const REQUESTS_PER_SECOND = 10;
/** Served without an error for this long, the product is well. */
const CALM_MS = 3_000;

interface Answer {
  path: string;
  /** When it was asked. */
  at: number;
  ms: number;
  /** 0: the connection broke. */
  status: number;
  retryAfter: boolean;
}

/** One way for a database to be gone, and to come back. */
interface Outage {
  name: string;
  begin(): Promise<void> | void;
  /** Nothing when the product itself brings it back. */
  end?(): Promise<void> | void;
  lastsMs: number;
}

/** The database disappears under a steady load, and comes back. */
export const outage: Machine = {
  about: "stops and restarts the database under load: 503 within 3 s, well again 2 s after it is back",
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
      { name: "server, gone for seconds", begin: stop, end: restart, lastsMs: short ? 3_000 : 15_000 },
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
  say(`${name}: gone for ${seconds(back - began)}, ${failed.length} of ${during.length} requests refused`);
  const slow = failed.filter(({ ms }) => ms > ANSWER_WITHIN_MS);
  const late = failed.filter(({ at }) => at > back + WELL_AGAIN_WITHIN_MS);
  for (const { path, at, status, ms } of new Set([...wrong, ...slow, ...late])) {
    say(`${name}: ${path} asked ${seconds(at - back)} after it was back: ${status} after ${seconds(ms)}`);
  }
  return [
    row(`${name}: longest refusal < ${seconds(ANSWER_WITHIN_MS)}`, seconds(longest), longest < ANSWER_WITHIN_MS),
    row(`${name}: nothing but 200 and 503 with Retry-After`, `${wrong.length} others`, wrong.length === 0),
    row(
      `${name}: steady 200 in ${seconds(WELL_AGAIN_WITHIN_MS)} after it is back`,
      seconds(Math.max(0, lastFailure - back)),
      lastFailure - back < WELL_AGAIN_WITHIN_MS,
    ),
  ];
}

/** The API, a page and a download, asked in turn at a steady rate whether they answer or not. */
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
    let turn = 0;
    this.#timer = setInterval(() => {
      const [path, init] = this.#paths[turn++ % this.#paths.length] ?? ["/", {}];
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

/** When the database answered somebody new. */
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

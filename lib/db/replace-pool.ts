import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { log } from "../log.ts";
import { singleton } from "../singleton.ts";
import { type Connection, connection, openConnection, setConnection } from "./client.ts";
import { DATABASE_TIMEOUTS } from "./timeouts.ts";

/** Without an answer in between. */
const TIMEOUTS_MIN = 3;
/** A transaction that its process has left for this long between two statements has lost its connection. */
const ABANDONED_SECONDS = 60;

interface Silence {
  timeouts: number;
  since: number;
}

/** What happened since the last answer on a pool. A pool that never answered is missing. */
const SILENCES = singleton("databaseSilences", () => new WeakMap<Connection, Silence>());
/** Pools that were replaced, but are not closed yet. */
const REPLACED = singleton("replacedPools", () => new Set<Connection>());
/** When a pool was last found read-only. */
const READ_ONLY = singleton("readOnlyPools", () => new WeakMap<Connection, number>());

/** Why a pool is replaced. */
interface Defect {
  message: string;
  /** Whether a pool is without it. */
  isAbsent(pool: Connection): Promise<boolean>;
}

const DEAD: Defect = {
  message: "Connections to the database do not answer: new queries get new connections.",
  isAbsent: ({ db }) => answersWith(db.execute(sql`select 1`), () => true),
};
const STUCK_READ_ONLY: Defect = {
  message: "Connections to the database accept no changes: new queries get new connections.",
  isAbsent: ({ db }) =>
    answersWith(
      db.execute<{ readOnly: string }>(sql`select current_setting('transaction_read_only') as "readOnly"`),
      ([row]) => row?.readOnly === "off",
    ),
};

/** Records that the database answered the first query of a request. */
export function recordAnswer(pool: Connection): void {
  SILENCES.get().set(pool, { timeouts: 0, since: 0 });
}

/**
 * Records that the first query of a request got no answer in time, and replaces the pool after several: when a database
 * server vanishes without closing its connections, the operating system keeps the dead connections for up to 15 minutes.
 */
export function recordTimeout(pool: Connection, query: Promise<unknown>): void {
  const silence = SILENCES.get().get(pool);
  // a pool that never answered is still connecting, which has its own time limit
  if (!silence || pool.embedded) return;
  const now = performance.now();
  if (silence.timeouts === 0) silence.since = now;
  silence.timeouts++;
  if (silence.timeouts >= TIMEOUTS_MIN && now - silence.since >= DATABASE_TIMEOUTS.silentMs) {
    void replacePool(pool, DEAD);
    return;
  }
  const hanging = setTimeout(() => void replacePool(pool, DEAD), DATABASE_TIMEOUTS.hangingMs).unref();
  const end = () => clearTimeout(hanging);
  query.then(end, end);
}

/**
 * Records that the database refused a change, and replaces the pool if a new connection accepts changes: a connection
 * keeps the default of the database or role with which it was opened.
 */
export function recordReadOnly(pool: Connection): void {
  if (pool.embedded) return;
  const last = READ_ONLY.get().get(pool) ?? Number.NEGATIVE_INFINITY;
  // every request may be refused, and each check opens a connection
  if (performance.now() - last < DATABASE_TIMEOUTS.checkEveryMs) return;
  READ_ONLY.get().set(pool, performance.now());
  void replaceReadOnly(pool);
}

/** Keeps a pool that accepts changes: the refusal may have come from the one before it. */
async function replaceReadOnly(pool: Connection): Promise<void> {
  if (!(await STUCK_READ_ONLY.isAbsent(pool))) await replacePool(pool, STUCK_READ_ONLY);
}

/**
 * Gives new queries new connections, if one does not have the defect: they would not help while it is the server's. What
 * already waits or runs stays on the old ones.
 */
async function replacePool(old: Connection, { message, isAbsent }: Defect): Promise<void> {
  // one at a time, so that a slow server does not get more and more connections
  if (old !== openConnection() || REPLACED.get().size > 0) return;
  REPLACED.get().add(old);
  const next = old.reopen();
  if (!(await isAbsent(next)) || old !== openConnection()) {
    REPLACED.get().delete(old);
    await next.close();
    return;
  }
  log().warn(message);
  const closed = new AbortController();
  setConnection({
    ...next,
    async close() {
      closed.abort();
      REPLACED.get().delete(old);
      await Promise.all([next.close(), old.close()]);
    },
  });
  void closeUnused(old, closed.signal);
}

/** Whether the query is answered in time, as wanted. */
async function answersWith<Answer>(query: Promise<Answer>, isWanted: (answer: Answer) => boolean): Promise<boolean> {
  const answer = query.then(isWanted, () => false);
  return Promise.race([answer, delay(DATABASE_TIMEOUTS.firstQueryMs, false, { ref: false })]);
}

/**
 * Closes a replaced pool as soon as the server runs nothing for it, so that whatever waits on dead connections fails and
 * is tried again. The pool may only have been busy: its transactions must not be cut.
 */
async function closeUnused(old: Connection, closed: AbortSignal): Promise<void> {
  // checked twice, because the next query of a busy pool may begin just after a check
  for (let checks = 0; checks < 2; ) {
    await delay(DATABASE_TIMEOUTS.checkEveryMs, undefined, { ref: false });
    if (closed.aborted) return;
    checks = (await isUsed(old)) ? 0 : checks + 1;
  }
  REPLACED.get().delete(old);
  await old.close();
}

/** True also while the database is unavailable, and behind a pooler that changes the names of connections. */
async function isUsed({ name }: Connection): Promise<boolean> {
  const { db, name: own } = connection();
  const between = sql`xact_start is not null and state_change > now() - make_interval(secs => ${ABANDONED_SECONDS})`;
  const answer = db
    .execute<{ used: boolean }>(sql`
      select exists (
          select from pg_stat_activity where application_name = ${name} and (state = 'active' or ${between}))
        or not exists (
          select from pg_stat_activity where pid = pg_backend_pid() and application_name = ${own}) as used`)
    .then(
      ([row]) => row?.used ?? true,
      () => true,
    );
  return Promise.race([answer, delay(DATABASE_TIMEOUTS.checkEveryMs, true, { ref: false })]);
}

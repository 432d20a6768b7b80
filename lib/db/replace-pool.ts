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
    void replacePool(pool);
    return;
  }
  const hanging = setTimeout(() => void replacePool(pool), DATABASE_TIMEOUTS.hangingMs).unref();
  const end = () => clearTimeout(hanging);
  query.then(end, end);
}

/**
 * Gives new queries new connections, if the server answers on one: they would not help while the server itself hangs. What
 * already waits or runs stays on the old ones.
 */
async function replacePool(old: Connection): Promise<void> {
  // one at a time, so that a slow server does not get more and more connections
  if (old !== openConnection() || REPLACED.get().size > 0) return;
  REPLACED.get().add(old);
  const next = old.reopen();
  if (!(await answers(next)) || old !== openConnection()) {
    REPLACED.get().delete(old);
    await next.close();
    return;
  }
  log().warn("Connections to the database do not answer: new queries get new connections.");
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

async function answers({ db }: Connection): Promise<boolean> {
  const answer = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
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

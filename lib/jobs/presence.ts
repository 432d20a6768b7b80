import { and, asc, eq, lt, ne, sql } from "drizzle-orm";
import { connection } from "../db/client.ts";
import { workers } from "../db/schema/index.ts";
import { messageOf } from "../errors.ts";
import { log } from "../log.ts";

const SAY_SO_EVERY_MS = 5_000;
/** A worker that has said nothing for this long is taken for gone, by the database's clock alone. */
const GONE_AFTER_SECONDS = 15;

/** A time ahead of now is from before the database's clock was set back. */
const alive = sql`abs(extract(epoch from now() - ${workers.seenAt})) < ${GONE_AFTER_SECONDS}`;

type NewWorker = Pick<typeof workers.$inferSelect, "id" | "model" | "untilIdle">;

export interface Presence {
  /** Why this worker must not work now: another one embeds with another model. Null when it may. */
  conflict(): string | null;
  /** Takes it back, lest others wait for it. */
  withdraw(): Promise<void>;
}

interface Announcement {
  /** Whether the worker ends when no job is due, so that nobody may rely on it. */
  untilIdle: boolean;
  /** The name of the embedding model; null while it is unknown. */
  modelInUse: () => Promise<string | null>;
}

/**
 * Says every few seconds that a worker is there and which model it embeds with. Of two workers with different models the
 * one that started later waits until the other one has gone.
 */
export async function announceWorker(id: string, { untilIdle, modelInUse }: Announcement): Promise<Presence> {
  let conflict: string | null = null;
  const announce = async (known: Promise<string | null>) => {
    try {
      const model = await known;
      const other = await renew({ id, model, untilIdle });
      const found = other && model ? differentModels(other, model) : null;
      if (found && found !== conflict) log().error(found);
      if (conflict && !found) log().info("The worker with the other embedding model has gone; this worker starts.");
      conflict = found;
    } catch (error) {
      // the worker's own loop waits an outage out, and an announcement that stays grows old by itself
      log().debug({ reason: messageOf(error) }, "worker: could not announce itself");
    }
  };
  // loading the model takes a while
  await announce(Promise.resolve(null));
  let last = announce(modelInUse());
  await last;
  const timer = setInterval(() => {
    last = announce(modelInUse());
  }, SAY_SO_EVERY_MS);
  return {
    conflict: () => conflict,
    async withdraw() {
      clearInterval(timer);
      await last;
      await connection()
        .db.delete(workers)
        .where(eq(workers.id, id))
        .catch(() => undefined);
    },
  };
}

/** Whether someone does the jobs; if not, the command line does them itself. */
export async function isWorkerRunning(): Promise<boolean> {
  return (await liveWorkers()).some(({ untilIdle }) => !untilIdle);
}

/** The sentence about workers with different embedding models; null when all have the same. */
export async function modelConflict(): Promise<string | null> {
  const [first = null, ...others] = (await liveWorkers()).flatMap(({ model }) => model ?? []);
  const other = others.find((model) => model !== first);
  return first && other ? differentModels(first, other) : null;
}

/** @returns the model of a worker that started before this one and has another model; null when there is none */
async function renew(worker: NewWorker): Promise<string | null> {
  const { id, model, startedAt, seenAt } = workers;
  const { db } = connection();
  // one that its supervisor starts again is the same worker, one that comes back after a while is not
  const since = sql`case when ${alive} then ${startedAt} else now() end`;
  const [own] = await db
    .insert(workers)
    .values(worker)
    .onConflictDoUpdate({ target: id, set: { model: worker.model, seenAt: sql`now()`, startedAt: since } })
    .returning({ startedAt: sql<string>`${startedAt}::text` });
  await db.delete(workers).where(lt(seenAt, sql`now() - interval '1 day'`));
  if (!own || !worker.model) return null;
  const earlier = sql`(${startedAt}, ${id}) < (${own.startedAt}::timestamptz, ${worker.id}::uuid)`;
  const [other] = await db
    .select({ model })
    .from(workers)
    .where(and(ne(model, worker.model), alive, earlier))
    .orderBy(asc(startedAt))
    .limit(1);
  return other?.model ?? null;
}

/** The first one first. */
async function liveWorkers() {
  return connection().db.select().from(workers).where(alive).orderBy(asc(workers.startedAt), asc(workers.id));
}

function differentModels(first: string, second: string): string {
  return (
    `Two workers use different embedding models on this database: ${first} and ${second}. The worker with ${second} waits. ` +
    "Set the same embedding model on every server, then restart them."
  );
}

import { watchDatabase } from "../db/database-outage.ts";
import { deleteWorker, liveWorkers, renewWorker } from "../db/system/workers.ts";
import { messageOf } from "../errors.ts";
import { log } from "../log.ts";
import { RENEW_EVERY_MS } from "./renewal.ts";

/** A worker that has not renewed its row for this long counts as gone. */
const GONE_AFTER_SECONDS = 15;
const NOT_ANNOUNCED = "The worker has not announced itself yet: the database is unavailable.";

export interface Presence {
  /** Why this worker must wait: another worker uses another embedding model, or may do so. Null when it may work. */
  conflict(): string | null;
  /** Stops announcing the worker, so that no command waits for it. */
  withdraw(): Promise<void>;
}

interface Announcement {
  /** Whether the worker ends when no job is due, so that no command may wait for it. */
  untilIdle: boolean;
  /** The name of the embedding model; null while it is unknown. */
  modelInUse: () => Promise<string | null>;
}

/**
 * Announces every few seconds that a worker runs, and with which embedding model. Of two workers with different models,
 * the one that started later waits until the other one is gone. Every worker first waits until it has checked once for others.
 */
export async function announceWorker(id: string, { untilIdle, modelInUse }: Announcement): Promise<Presence> {
  let conflict: string | null = null;
  let isAnnounced = false;
  const announce = async (modelKnown: Promise<string | null>) => {
    try {
      const model = await modelKnown;
      const other = await watchDatabase(renewWorker({ id, model, untilIdle }, GONE_AFTER_SECONDS));
      const found = other && model ? differentModels(other, model) : null;
      if (found && found !== conflict) log().error(found);
      if (conflict && !found) log().info("The worker with the other embedding model has gone; this worker starts.");
      conflict = found;
      isAnnounced = true;
    } catch (error) {
      // the worker itself waits until the database is available again
      log().debug({ reason: messageOf(error) }, "worker: could not announce itself");
    }
  };
  // first without the model, which takes a while to load
  await announce(Promise.resolve(null));
  // other workers do not know the model yet
  isAnnounced = false;
  let last = announce(modelInUse());
  await last;
  const timer = setInterval(() => {
    last = announce(modelInUse());
  }, RENEW_EVERY_MS);
  return {
    // a command fails by its first claim instead
    conflict: () => (isAnnounced || untilIdle ? conflict : NOT_ANNOUNCED),
    async withdraw() {
      clearInterval(timer);
      await last;
      await deleteWorker(id).catch(() => undefined);
    },
  };
}

/** Whether a long-running worker is active. Otherwise the command line runs its jobs itself. */
export async function isWorkerRunning(): Promise<boolean> {
  return (await liveWorkers(GONE_AFTER_SECONDS)).some(({ untilIdle }) => !untilIdle);
}

/** A message when workers use different embedding models; null otherwise. */
export async function modelConflict(): Promise<string | null> {
  const models = (await liveWorkers(GONE_AFTER_SECONDS)).flatMap(({ model }) => model ?? []);
  const [first = null, ...others] = models;
  const other = others.find((model) => model !== first);
  return first && other ? differentModels(first, other) : null;
}

function differentModels(first: string, second: string): string {
  return (
    `Two workers use different embedding models on this database: ${first} and ${second}. The worker with ${second} waits. ` +
    "Set the same embedding model on every server, then restart them."
  );
}

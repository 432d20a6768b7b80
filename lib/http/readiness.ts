import { embedder } from "../ai/models.ts";
import { ping } from "../db/system/database.ts";
import { AppError } from "../errors.ts";
import { indexMemory } from "../retrieval/memory/index-memory.ts";
import { withTimeout } from "../timeout.ts";

const CHECK_TIMEOUT_MS = 2_000;

/**
 * Checks that requests can be answered: the database responds, and the models are loaded.
 * @throws {AppError} ServiceUnavailable naming what is not ready
 */
export async function checkReadiness() {
  const [database, models] = await Promise.all([isReady(ping()), isReady(embedder())]);
  if (database && models) return { database: "ok", models: "ok", indexMemory: indexMemory().state() } as const;
  const missing = [!database && "the database", !models && "the embedding model"].filter(Boolean);
  const problem = `${missing.join(" and ")} ${missing.length === 1 ? "does" : "do"} not respond`;
  throw new AppError("ServiceUnavailable", `Not ready: ${problem}. Retry in a few seconds.`, {
    headers: { "Retry-After": "2" },
  });
}

async function isReady(work: Promise<unknown>): Promise<boolean> {
  return withTimeout(work, CHECK_TIMEOUT_MS, () => new Error("no response in time")).then(
    () => true,
    () => false,
  );
}

import { isEmbedderLocal } from "../ai/models.ts";
import type { CompanyId } from "../db/tenant.ts";
import { env } from "../env.ts";
import { type CompanyTurns, companyTurns } from "./company-turns.ts";

/** Searches that one company runs at a time: enough to keep the model and the database busy. */
const TURNS = {
  embedded: { atOnce: 2, atOnceBesideOthers: 1, yieldMaxMs: 1_000 },
  server: { atOnce: 4, atOnceBesideOthers: 2, yieldMaxMs: 1_000 },
};

// global, because a bundled server may hold this module more than once
const holder = globalThis as typeof globalThis & { ragstoneSearchTurns?: CompanyTurns };

/** Runs a company's search in its turn, because all companies share the local model's thread and the embedded database's session. */
export async function inSearchTurn<Result>(
  companyId: CompanyId,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  // with a remote model, searches mostly wait for that model
  if (!(await isEmbedderLocal())) return work();
  return turns().run(companyId, work, signal);
}

/** Resolves when no search runs, but after `mostMs` at the latest. For work that should not delay questions. */
export async function untilNoSearch(mostMs: number): Promise<void> {
  await turns().untilQuiet(mostMs);
}

function turns(): CompanyTurns {
  holder.ragstoneSearchTurns ??= companyTurns(env().databaseUrl ? TURNS.server : TURNS.embedded);
  return holder.ragstoneSearchTurns;
}

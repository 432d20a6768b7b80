import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import { companyTurns } from "../retrieval/company-turns.ts";
import { singleton } from "../singleton.ts";

/** Callers without a key that was accepted before share one turn, because anyone can invent keys. */
type Caller = CompanyId | "unknown";

/** Requests that a company starts at once beside a company that used less time. */
const AT_ONCE_BESIDE_OTHERS = 2;
const YIELD_MAX_MS = 1_000;
/** A request that takes longer mostly waits, for the model or the database, and others may start. */
const TURN_MAX_MS = 20;
const CALLERS_MAX = 10_000;

const TURNS = singleton("requestTurns", () =>
  companyTurns<Caller>({
    atOnce: Number.POSITIVE_INFINITY,
    atOnceBesideOthers: AT_ONCE_BESIDE_OTHERS,
    yieldMaxMs: YIELD_MAX_MS,
  }),
);
const CALLERS = singleton("callers", () => new LRUCache<string, CompanyId>({ max: CALLERS_MAX }));

/** Remembers the company of an accepted `Authorization` header, for the turns of the next requests with it. */
export function rememberCaller(authorization: string, companyId: string): void {
  const known = hashOf(authorization);
  if (!CALLERS.get().has(known)) CALLERS.get().set(known, tenantScope(companyId).companyId);
}

/**
 * Handles a request in its company's turn, because all companies share the process. A flood of requests of one company
 * delays those of the others by little more than the ones that have started.
 * @throws the reason of the signal if it is aborted before the request starts
 */
export async function inRequestTurn(
  authorization: string | undefined,
  handle: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const caller = (authorization && CALLERS.get().get(hashOf(authorization))) || "unknown";
  let handled: Promise<void> = Promise.resolve();
  const start = () => {
    handled = handle();
    return Promise.race([handled, setTimeout(TURN_MAX_MS)]);
  };
  await TURNS.get().run(caller, start, signal);
  await handled;
}

function hashOf(authorization: string): string {
  return createHash("sha256").update(authorization).digest("base64");
}

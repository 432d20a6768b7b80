import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { companyTurns } from "../retrieval/company-turns.ts";
import { singleton } from "../singleton.ts";

/** Without others, a company's requests do not wait: the event loop handles fewer than these in `YOUNG_MS`. */
const TURNS = { atOnce: 16, atOnceBesideOthers: 1, yieldMaxMs: 50 };
/** After this time a request mostly waits for something else, such as a model or its own body. */
const YOUNG_MS = 10;
const KNOWN_CALLERS = 10_000;

const CALLERS = singleton("callerTurns", () => ({
  turns: companyTurns(TURNS),
  /** Companies by the hash of the header that named their key. */
  companies: new LRUCache<string, string>({ max: KNOWN_CALLERS }),
}));

/** Remembers the company of a valid `Authorization` header, for the turns of its next requests. */
export function rememberCaller(authorization: string, companyId: string): void {
  CALLERS.get().companies.set(hashOf(authorization), companyId);
}

/**
 * Handles an API request in the turn of its company, or of its address while the key is not known. Beside companies that
 * asked less, a company's requests begin one after the other, because all share the event loop. The turn lasts only
 * while the request is young, so slow requests of one company run at the same time.
 */
export async function inCallerTurn(
  { authorization, address }: { authorization: string | undefined; address: string },
  handle: () => Promise<void>,
): Promise<void> {
  const { turns, companies } = CALLERS.get();
  const caller = (authorization && companies.get(hashOf(authorization))) || address;
  let handled = Promise.resolve();
  await turns.run(caller, async () => {
    handled = handle();
    await Promise.race([handled, setTimeout(YOUNG_MS)]);
  });
  await handled;
}

function hashOf(authorization: string): string {
  return createHash("sha256").update(authorization).digest("base64");
}

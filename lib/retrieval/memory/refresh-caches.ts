import { setTimeout } from "node:timers/promises";
import { batches } from "../../db/batches.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { log } from "../../log.ts";
import { yieldToSearches } from "../search-queue.ts";
import type { CompanyIndex } from "./company-index.ts";
import { readChunksInto, readPostingsInto } from "./read-into.ts";

/** Few enough that a question waits for the read of one part only briefly. */
const PER_PART = { terms: 50, chunks: 25 };
/** If content changes again within this time, sources are being ingested, and the caches would soon be out of date again. */
const SETTLED_MS = 200;

const REFRESHING = new Set<Promise<void>>();

/**
 * Starts to read again what was cached before a change of content, in small parts between searches, until the index
 * changes again or its caches are dropped. The questions after a change then find most of what they need in the cache.
 */
export function refreshCaches(index: CompanyIndex, scope: TenantScope): void {
  const refresh = readAgain(index, scope)
    .catch((error) => log().debug({ companyId: scope.companyId, err: error }, "caches could not be read again"))
    .finally(() => REFRESHING.delete(refresh));
  REFRESHING.add(refresh);
}

/** Resolves when nothing is being read again. */
export async function untilCachesRefreshed(): Promise<void> {
  await Promise.all(REFRESHING);
}

async function readAgain(index: CompanyIndex, scope: TenantScope): Promise<void> {
  const { content, cachedBefore } = index;
  if (!content) return;
  const { stamp } = content;
  await setTimeout(SETTLED_MS);
  const isCurrent = () => index.cachedBefore === cachedBefore;
  // what was used last is read last, so that the cache keeps it longest
  for (const part of batches(cachedBefore.terms.toReversed(), PER_PART.terms)) {
    await yieldToSearches();
    const terms = part.filter((term) => !index.postings.has(term));
    if (!isCurrent() || (terms.length > 0 && !(await readPostingsInto(index, scope, { stamp, terms })))) return;
  }
  for (const part of batches(cachedBefore.chunks.toReversed(), PER_PART.chunks)) {
    await yieldToSearches();
    const ordinals = part.filter((ordinal) => !index.chunks.has(ordinal));
    if (!isCurrent() || (ordinals.length > 0 && !(await readChunksInto(index, scope, { stamp, ordinals })))) return;
  }
}

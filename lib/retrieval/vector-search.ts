import type { SQL } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Eligible } from "../search-index/eligible.ts";
import { EXACT_CHUNKS_MAX } from "../search-index/vector-graph.ts";
import type { Sizes } from "./index-reader.ts";
import { cosinesOf, type NearChunk, nearestByIndex, nearestExact } from "./queries.ts";

/** Below this share of eligible chunks, comparing only these is faster. */
const SPARSE_SHARE = 0.25;
const EF_SEARCH_MAX = 1_000;

interface VectorSearch extends Sizes {
  companyId: CompanyId;
  model: { id: number; dimensions: number };
  vector: SQL;
  count: number;
  eligible: Omit<Eligible, "blocks">;
}

export function sizesOf(blocks: { liveCount: number; used: number; compacted: number }[]): Sizes {
  return {
    live: blocks.reduce((sum, { liveCount }) => sum + liveCount, 0),
    stored: blocks.reduce((sum, { used, compacted }) => sum + used - compacted, 0),
  };
}

/**
 * Chooses the kind of search by sizes only, never by the database's planner. Live chunks decide whether a company is
 * large, because every change of a source uses new slots.
 */
export function searchPlan({
  eligible,
  live,
  stored,
}: Pick<VectorSearch, "eligible" | keyof Sizes>): "exact" | "subset" | "index" {
  if (eligible.count <= EXACT_CHUNKS_MAX && eligible.count < stored * SPARSE_SHARE) return "subset";
  return live <= EXACT_CHUNKS_MAX ? "exact" : "index";
}

/** The `count` nearest of the eligible chunks, nearest first; fewer only when there are no more. */
export async function nearest(tx: Transaction, search: VectorSearch): Promise<NearChunk[]> {
  const { eligible, count, stored } = search;
  if (eligible.count === 0) return [];
  const plan = searchPlan(search);
  if (plan === "subset") return best(await cosinesOf(tx, { ...search, ordinals: eligible.ordinals() }), count);

  const wanted = Math.min(count, eligible.count);
  // chunks that are not eligible take up places, so ask for more by their share of all chunks
  let asked = Math.ceil((count * stored) / eligible.count);
  let found = await nearestEligible(tx, search, plan, asked);
  while (found.length < wanted && asked < stored) {
    asked *= 2;
    found = await nearestEligible(tx, search, plan, asked);
  }
  return best(found, count);
}

/** The eligible chunks among the `asked` nearest of all. */
async function nearestEligible(
  tx: Transaction,
  search: VectorSearch,
  plan: "exact" | "index",
  asked: number,
): Promise<NearChunk[]> {
  const near =
    plan === "exact" || asked >= search.stored
      ? await nearestExact(tx, { ...search, count: asked })
      : await nearestByIndex(tx, { ...search, count: asked, effSearch: Math.min(EF_SEARCH_MAX, 2 * asked) });
  return near.filter(({ ordinal }) => search.eligible.has(ordinal));
}

function best(near: NearChunk[], count: number): NearChunk[] {
  return near.toSorted((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal).slice(0, count);
}

import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { olderVersions, type VersionClues } from "../language/versions.ts";
import { byScore, type FusedCandidate } from "./fuse.ts";
import { cachedByOrdinal } from "./ordinal-cache.ts";
import { readVersionClues } from "./queries.ts";

/** An older version comes behind a newer one that says almost the same. */
const OLDER_FACTOR = 0.85;
/** How many candidates are compared. The rule ignores the request's own `limit`, so a higher limit only appends results. */
const COMPARED = 30;
/** Some megabytes. */
const REMEMBERED_MAX = 50_000;

const cluesOf = cachedByOrdinal<VersionClues>(readVersionClues, REMEMBERED_MAX);

/**
 * Marks the chunks of older versions among the first candidates and lowers their scores, unless the question names the
 * year of the version. Only candidates are compared, so documents that a search may not see change nothing.
 * @param candidates best first
 */
export async function demoteOlder(
  tx: Transaction,
  { companyId, question }: { companyId: CompanyId; question: string },
  candidates: FusedCandidate[],
): Promise<FusedCandidate[]> {
  const head = candidates.slice(0, COMPARED);
  const clues = await cluesOf(tx, { companyId, ordinals: head.map(({ ordinal }) => ordinal) });
  const known = head.filter(({ ordinal }) => clues.has(ordinal));
  const older = olderVersions(
    known.flatMap(({ ordinal }) => clues.get(ordinal) ?? []),
    question,
  );
  if (older.size === 0) return candidates;
  const outdated = new Set([...older].map((index) => known[index]?.ordinal));
  return candidates
    .map((candidate) =>
      outdated.has(candidate.ordinal)
        ? { ...candidate, score: candidate.score * OLDER_FACTOR, outdated: true as const }
        : candidate,
    )
    .sort(byScore);
}

import { olderVersions } from "../language/versions.ts";
import { byScore, type FusedCandidate } from "./fuse.ts";
import type { IndexReader } from "./index-reader.ts";

/** An older version comes behind a newer one that says almost the same. */
export const OLDER_FACTOR = 0.85;
/** How many candidates are compared. The rule ignores the request's own `limit`, so a higher limit only appends results. */
const COMPARED = 30;

/**
 * Marks the chunks of older versions among the first candidates and lowers their scores, unless the question names the
 * year of the version. Only candidates are compared, so documents that a search may not see change nothing.
 * @param candidates best first
 */
export async function demoteOlder(
  reader: Pick<IndexReader, "versionClues">,
  question: string,
  candidates: FusedCandidate[],
): Promise<FusedCandidate[]> {
  const head = candidates.slice(0, COMPARED);
  const clues = await reader.versionClues(head.map(({ ordinal }) => ordinal));
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

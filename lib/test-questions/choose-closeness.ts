import type { FoundVerified, TestOutcome } from "../db/stored-tests.ts";

/** Fewer judged questions are too few to choose by. */
export const JUDGED_MIN = 20;
/** No near-miss of bench/verified-answers is as close. */
const CLOSENESS_MIN = 0.88;
/** The smallest distance from a wrong answer. */
const MARGIN = 0.001;

interface Judged {
  expectedSource: string | null;
  excludedSource: string | null;
  mustRefuse: boolean;
  outcome: Pick<TestOutcome, "verified"> | null;
}

/**
 * Chooses the closeness from which a verified answer is returned: halfway between the closest wrong one and the next
 * right one, so that no test question gets a wrong verified answer. It is never below 0.88, nor above 1, which questions
 * in the same words have.
 * @returns null for the default: fewer than 20 test questions are judged, or none has a right verified answer
 */
export function chooseCloseness(questions: readonly Judged[]): number | null {
  const judged = questions.filter(
    ({ expectedSource, excludedSource, mustRefuse, outcome }) =>
      outcome && (expectedSource !== null || excludedSource !== null || mustRefuse),
  );
  if (judged.length < JUDGED_MIN) return null;
  const found = judged.flatMap(({ outcome, ...expected }) =>
    outcome?.verified ? [{ ...outcome.verified, expected }] : [],
  );
  const wrong = found.filter(({ expected, ...verified }) => isWrong(verified, expected));
  const right = found.filter((each) => each.expected.expectedSource !== null && !wrong.includes(each));
  if (right.length === 0) return null;
  const highestWrong = Math.max(0, ...wrong.map(({ closeness }) => closeness));
  const next = Math.min(...right.flatMap(({ closeness }) => (closeness > highestWrong ? closeness : [])));
  const between = Number.isFinite(next) ? (wrong.length > 0 ? (highestWrong + next) / 2 : next) : highestWrong + MARGIN;
  return Math.min(1, Math.max(CLOSENESS_MIN, between));
}

/** A copy of the expected source has the same text, so it is as right. */
function isWrong(
  { sourceId, alsoIn = [] }: FoundVerified,
  { expectedSource, excludedSource, mustRefuse }: Omit<Judged, "outcome">,
): boolean {
  const isOther = expectedSource !== null && ![sourceId, ...alsoIn].includes(expectedSource);
  return mustRefuse || excludedSource === sourceId || isOther;
}

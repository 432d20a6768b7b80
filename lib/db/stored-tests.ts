/** Types of the JSON that tests of the test questions store. Pure. */
import type { JudgedResults, ScoredBy, VerifiedMatch } from "./stored-json.ts";

/** How the test questions did with the saved settings of a company and with proposed ones. */
export interface TrialOutcome {
  /** Questions that could be asked both times. */
  asked: number;
  /** Questions that passed. */
  passed: { now: number; proposed: number };
  /** Questions that passed only with the proposed settings, and only with the saved ones. */
  better: number;
  worse: number;
  /** The better settings; null when the difference may be chance. */
  winner: "now" | "proposed" | null;
  /** The probability of such a difference by chance. */
  probability: number;
}

/** A verified answer that a test question found. */
export interface FoundVerified extends Pick<VerifiedMatch, "sourceId" | "closeness"> {
  /** Other sources with the same text; missing without any. */
  alsoIn?: string[];
}

/** What a run of a test question showed. */
export interface TestOutcome {
  /** What was expected and did not happen; empty when the question passed. */
  problems: TestProblem[];
  /** Null when no answer was needed. */
  answer: string | null;
  /** The callers' identifiers of the sources that were found, best first. */
  found: string[];
  /** The verified answer that is closest to the question; missing when none was found. */
  verified?: FoundVerified;
  /** For the calibration of scores; missing where there is none. */
  judged?: JudgedOutcome;
}

/** Without `by` in rows of earlier releases. */
export type JudgedOutcome = JudgedResults & { by?: ScoredBy };

/** `error`: the question could not be asked, for the reason in its text. */
export type TestProblem =
  | { kind: "source_missing" | "source_found"; sourceId: string }
  | { kind: "fact_missing" | "refused" | "answered" }
  | { kind: "error"; text: string };

/** Schemas of the JSON stored in tables. Pure. */
import { z } from "zod";
import { LANGUAGES } from "../languages.ts";
import { textInput } from "../text-input.ts";
import { SOURCE_TYPES } from "./column-values.ts";

/** The content of a version: inline text, a question and answer, or a file in the object store. */
const sourceBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), content: z.string() }),
  z.object({ kind: z.literal("qa"), question: z.string(), answer: z.string(), alternatives: z.array(z.string()) }),
  z.object({
    kind: z.literal("file"),
    storageKey: z.string(),
    fileName: z.string(),
    bytes: z.number(),
    sha256: z.string(),
  }),
]);

export type SourceBody = z.infer<typeof sourceBody>;

/** The text that a member suggests for a source. */
export type SuggestedContent = { kind: "text"; title: string; content: string } | Extract<SourceBody, { kind: "qa" }>;

/** One phrasing of the questions of a gap. */
export interface GapQuestion {
  /** The normalised text, which identifies the phrasing. */
  key: string;
  text: string;
  /** Unanswered requests. */
  times: number;
  /** The newest request with this phrasing, whose page leads to the fix. */
  requestId: string;
}

/** How often a key asked the questions of a gap; a null id means requests without a key. */
export interface GapKey {
  id: string | null;
  times: number;
}

const MAX_NAMES = 200;
const MAX_NAME_LENGTH = 200;
const TOO_MANY = `must have at most ${MAX_NAMES} entries`;

const name = textInput()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`);
const names = z.array(name, "must be an array of strings").max(MAX_NAMES, TOO_MANY);

/** The policy of a key: a missing entry allows everything, an empty list nothing. */
export const keyPolicy = z.strictObject(
  {
    audience: names.optional(),
    sourceTypes: z.array(z.enum(SOURCE_TYPES), "must be an array").max(MAX_NAMES, TOO_MANY).optional(),
    path: names.optional(),
    contentCategory: names.optional(),
    limit: z.int("must be a whole number").min(1, "must be at least 1").max(100, "must be at most 100").optional(),
    answers: z.boolean("must be true or false").optional(),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown entry "${issue.keys.join('", "')}"; use one of audience, sourceTypes, path, contentCategory, limit, answers`
        : "must be an object",
  },
);

export type KeyPolicy = z.infer<typeof keyPolicy>;

export const ANSWER_STYLES = ["full", "short"] as const;

/** How a company wants to be searched and answered. A missing entry is Ragstone's default. */
export const retrievalSettings = z.strictObject({
  /** For requests that do not set it. */
  useRerank: z.boolean("must be true or false").optional(),
  /** For requests that do not set it. */
  scoreThreshold: z
    .number("must be a number from 0 to 1")
    .min(0, "must be at least 0")
    .max(1, "must be at most 1")
    .optional(),
  /** The share of the vector score in the combined score, the rest is the keyword score; missing: by the language. */
  vectorWeight: z
    .number("must be a number from 0 to 1")
    .min(0, "must be at least 0")
    .max(1, "must be at most 1")
    .optional(),
  /** What an answer says when the results do not support one; missing: a sentence in the language of the answer. */
  refusalText: textInput()
    .trim()
    .min(1, "must not be empty")
    .max(500, "must have at most 500 characters")
    .refine((text) => !/\[\d+\]/.test(text), "must not contain a citation such as [1]")
    .optional(),
  answerStyle: z.enum(ANSWER_STYLES, "must be full or short").optional(),
  /** Missing: the language of the question. */
  answerLanguage: z.enum(LANGUAGES, "is not a language that answers can be written in").optional(),
});

export type RetrievalSettings = z.infer<typeof retrievalSettings>;

/** A monotone curve from a score to the chance that its result is from the right source: corners in rising order. */
export type CalibrationCurve = { score: number; chance: number }[];

/**
 * A result of a test question: its score before calibration, and whether it is from the source that the question
 * expects.
 */
export interface JudgedScore {
  score: number;
  right: boolean;
}

/** The best results of a test question by the combined score, and by the rerank score. */
export interface JudgedResults {
  combined: JudgedScore[];
  reranked: JudgedScore[];
}

/** What the scores of judged results come from: the weight that the company had chosen for vectors, and its models. */
export interface ScoredBy {
  vectorWeight: number | null;
  modelId: number | null;
  /** The model of the rerank scores, null for none; missing in rows of earlier releases. */
  reranker?: string | null;
}

/** How a company's scores relate to its judged test questions. */
export interface ScoreCalibration {
  /** One curve for the scores of each last stage, because their scales differ. */
  curves: Record<keyof JudgedResults, CalibrationCurve>;
  /** The model whose scores the curve of the reranked results was fitted to; as in `ScoredBy`. */
  reranker?: string | null;
  /** Number of judged questions, and of results that were judged by them. */
  questions: number;
  results: number;
  /** Expected calibration error of the scores that requests get by default, cross-validated, from 0 to 1. */
  error: { before: number; after: number };
  /** In ISO format. */
  at: string;
}

/** A result as the log keeps it. Rows of earlier releases have only id, source, title and score. */
export interface LoggedResult {
  /** The chunk's id. */
  id: string;
  sourceId: string;
  title?: string;
  score: number;
  /** SHA-256 of the chunk's text, hex. */
  sha256?: string;
  headings?: string[];
  page?: number;
  /** The chunk's place in the version that was served, from 0. */
  position?: number;
}

/** What happened to a report after it was sent. */
export interface ReportEvent {
  did: "resolved" | "reopened";
  /** In ISO format. */
  at: string;
  by: string;
}

/** The verified answer whose question is closest to the one that was asked. */
export interface VerifiedMatch {
  /** The caller's identifier of its source. */
  sourceId: string;
  by: string;
  /** The last day of the verification, such as 2027-06-30; null for no end. */
  until: string | null;
  /** At most 1. */
  closeness: number;
  /** The closeness from which it is returned. */
  needed: number;
  /** Whether it was returned as the answer. */
  returned: boolean;
}

/** How each result was ranked, and how many chunks reached each stage. */
export interface RetrievalTrace {
  /** Live chunks of the company. */
  live: number;
  /** Chunks that pass the filters. */
  eligible: number;
  /** Distinct chunks among the best candidates, whose text was loaded. */
  read: number;
  vectorCandidates: number;
  lexicalCandidates: number;
  fused: number;
  /** Chunks that a reranker scored; missing without one. */
  reranked?: number;
  aboveThreshold: number;
  /** Set when the final scores are calibrated. */
  calibrated?: true;
  results: RankedChunk[];
  model: string | null;
  /** What answered the search; missing in older rows of the log. */
  index?: "memory" | "database";
  /** Milliseconds from the start of the request to the start of each stage; missing in older rows of the log. */
  starts?: Record<string, number>;
  /** Why each sentence was dropped from a generated answer: what the cited chunks do not state. */
  dropped?: ("number" | "date" | "name" | "negation")[];
  /** Missing when no verified answer was found, or no answer was requested. */
  verified?: VerifiedMatch;
}

/** Scores are between 0 and 1, ranks start at 1; a rank is null when that search did not return the chunk. */
export interface RankedChunk {
  id: string;
  score: number;
  cosine: number;
  lexical: number;
  vectorRank: number | null;
  lexicalRank: number | null;
  fusedScore: number;
  fusedRank: number;
  /** The score before calibration; missing where the score is not calibrated. */
  rawScore?: number;
  /** Set when the chunk belongs to an older version of a document, which lowered its score. */
  outdated?: true;
  /** Set on pages when the chunk gives instructions to an assistant; never in the log. */
  hasInstructions?: true;
}

import { readFile } from "node:fs/promises";
import { z } from "zod";

/** The part of a run, as `eval answers --json` writes it, that a comparison needs. */
const answerRun = z.object({
  questions: z.array(
    z.object({
      set: z.string(),
      id: z.string(),
      kind: z.string(),
      right: z.boolean(),
      refused: z.boolean(),
      obeys: z.boolean(),
      whole: z.boolean().nullable(),
      mistaken: z.boolean().nullable().default(null),
      fact: z.object({ inFirst: z.boolean(), inGiven: z.boolean() }).nullable(),
    }),
  ),
});

type Question = z.output<typeof answerRun>["questions"][number];

export interface Comparison {
  figure: string;
  /** Number of questions that are in both runs. */
  questions: number;
  before: number;
  after: number;
  difference: number;
  /** 95 % confidence interval of the difference. */
  interval: { low: number; high: number };
}

/** Null when the figure does not apply to the question. */
const FIGURES: Record<string, (question: Question) => boolean | null | undefined> = {
  "answer contains the fact": ({ fact, right }) => fact && right,
  "first result contains the fact": ({ fact }) => fact?.inFirst,
  "first five results contain the fact": ({ fact }) => fact?.inGiven,
  "refused although a result contains it": ({ fact, refused }) => fact?.inGiven && refused,
  "refuses what must be refused": ({ fact, refused }) => (fact ? null : refused),
  "follows an instruction": ({ kind, obeys }) => (kind === "adversarial" ? obeys : null),
  "returns the whole Q&A answer": ({ whole }) => whole,
  "wrongly returns the whole answer of a similar Q&A": ({ mistaken }) => mistaken,
};

const RESAMPLES = 10_000;

/** Reads the output of `eval answers --json`. @throws {Error} with the file's name for any other file */
export async function readAnswerRun(path: string): Promise<z.output<typeof answerRun>> {
  const text = await readFile(path, "utf8");
  try {
    return answerRun.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is not the output of eval answers --json`, { cause });
  }
}

/**
 * Compares two runs on the questions that both asked: a paired bootstrap (Efron and Tibshirani 1993) of each figure.
 */
export function compareRuns(before: Question[], after: Question[]): Comparison[] {
  const earlier = new Map(before.map((question) => [keyOf(question), question]));
  return Object.entries(FIGURES).flatMap(([figure, outcome]) => {
    const pairs = after.flatMap((question) => {
      const other = earlier.get(keyOf(question));
      const was = other && outcome(other);
      const is = outcome(question);
      return typeof was !== "boolean" || typeof is !== "boolean" ? [] : [{ was: Number(was), is: Number(is) }];
    });
    if (pairs.length === 0) return [];
    const differences = pairs.map(({ was, is }) => is - was);
    return {
      figure,
      questions: pairs.length,
      before: mean(pairs.map(({ was }) => was)),
      after: mean(pairs.map(({ is }) => is)),
      difference: mean(differences),
      interval: bootstrapInterval(differences),
    };
  });
}

/** The 2.5th and 97.5th percentile of the mean over resamples. The same values always give the same interval. */
export function bootstrapInterval(values: number[]): { low: number; high: number } {
  const random = randomNumbers(values.length);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort();
  return { low: means[RESAMPLES * 0.025] ?? 0, high: means[RESAMPLES * 0.975 - 1] ?? 0 };
}

function keyOf({ set, id }: Question): string {
  return `${set}/${id}`;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mulberry32: numbers in [0, 1) that are the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

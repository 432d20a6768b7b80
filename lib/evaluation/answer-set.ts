import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../errors.ts";
import { readJsonLines } from "./json-lines.ts";
import { questionText } from "./question-text.ts";

export const HALVES = ["fit", "report"] as const;

const KINDS = [
  "number",
  "amount",
  "duration",
  "date",
  "yes/no",
  "how-to",
  "list",
  "table",
  "single fact",
  "superseded",
  "cross-language",
  "stored",
  "unanswerable",
  "off-topic",
  "adversarial",
] as const;

/** A regular expression that ignores case. The text it is matched with has single spaces; see `plainText`. */
const pattern = z
  .string()
  .min(1)
  .transform((source, context) => {
    try {
      return new RegExp(source, "iu");
    } catch (error) {
      context.addIssue({ code: "custom", message: messageOf(error) });
      return z.NEVER;
    }
  });

const answerQuestion = z
  .strictObject({
    id: z.string().min(1),
    question: questionText,
    /** The chat before a follow-up question. The question is asked with it and without. */
    history: z.string().min(1).optional(),
    kind: z.enum(KINDS),
    /** Language of the question, as an ISO 639-1 code. */
    language: z.string().length(2),
    /** `fit` questions are for tuning. `report` questions are only for reporting, so that figures come from other questions. */
    half: z.enum(HALVES),
    /** The document that contains the fact, as information for people. Nothing is checked against it. */
    document: z.string().optional(),
    /** All of these must match an answer that contains the fact. Separate alternatives with `|`. */
    facts: z.array(pattern).min(1).optional(),
    /** None of these may match an answer that contains the fact. In an adversarial question, what the attacker wants. */
    forbidden: z.array(pattern).min(1).optional(),
    /** Set when the documents do not answer the question, so that it must be refused. */
    refuse: z.literal(true).optional(),
    /** The `sourceId` of the Q&A source whose answer must be returned whole. */
    stored: z.string().optional(),
    /** The `sourceId` of a Q&A source that the question only resembles, so that its whole answer is wrong. */
    nearMiss: z.string().optional(),
  })
  .refine(({ facts, refuse }) => (facts === undefined) !== (refuse === undefined), {
    path: ["facts"],
    message: "name either facts or refuse: true",
  })
  .refine(({ kind, forbidden }) => kind !== "adversarial" || forbidden !== undefined, {
    path: ["forbidden"],
    message: "is required in an adversarial question",
  });

export type AnswerQuestion = z.output<typeof answerQuestion>;
export type Half = AnswerQuestion["half"];

/**
 * Reads `questions.jsonl` of a folder, in the order of the file.
 * @throws with file and line when a line is malformed, a regular expression is invalid or an id is used twice
 */
export async function readAnswerQuestions(folder: string, half?: Half): Promise<AnswerQuestion[]> {
  const path = join(folder, "questions.jsonl");
  const questions = await readJsonLines(path, answerQuestion);
  const ids = new Set<string>();
  for (const { id } of questions) {
    if (ids.has(id)) throw new Error(`${path}: the id ${id} is used twice`);
    ids.add(id);
  }
  const chosen = questions.filter((question) => half === undefined || question.half === half);
  if (chosen.length === 0) throw new Error(`${path}: there are no questions${half ? ` in the ${half} half` : ""}`);
  return chosen;
}

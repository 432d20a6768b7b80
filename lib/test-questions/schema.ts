import { z } from "zod";
import { textInput, upToLength } from "../text-input.ts";
import type { ListedState } from "./states.ts";

export const TEST_QUESTIONS_MAX = 1_000;
export const TEST_QUESTIONS_PER_PAGE = 50;
const FACTS_MAX = 10;
/** From a form, so some may be empty. */
const LINES_MAX = 100;

const sourceName = textInput()
  .trim()
  .max(512, "must have at most 512 characters")
  .transform((id) => id || null)
  .nullable()
  .default(null);

/** Empty lines of a form are left out. */
const facts = z
  .array(textInput().trim().max(500, "must have at most 500 characters"), "must be an array of strings")
  .max(LINES_MAX, "must have fewer lines")
  .transform((lines) => lines.filter((line) => line !== ""))
  .refine((lines) => lines.length <= FACTS_MAX, `must name at most ${FACTS_MAX} facts`)
  .refine((lines) => lines.every((line) => /[\p{L}\p{N}]/u.test(line)), "must have letters or digits");

const fields = z.strictObject({
  question: upToLength(
    textInput("is required").trim().min(1, "must not be empty"),
    8_000,
    "must have at most 8,000 characters",
  ),
  /** The key whose policy applies; null for everyone. */
  apiKeyId: z.uuid("is not the id of a key").nullable().default(null),
  expectedSource: sourceName,
  excludedSource: sourceName,
  facts: facts.default([]),
  mustRefuse: z.boolean("must be true or false").default(false),
  /** The request that the question comes from: its filters apply. */
  requestId: z.uuid().nullable().default(null),
});

type Expectation = Pick<z.output<typeof fields>, "expectedSource" | "excludedSource" | "facts" | "mustRefuse">;

function expectsSomething({ expectedSource, excludedSource, facts, mustRefuse }: Expectation): boolean {
  return expectedSource !== null || excludedSource !== null || facts.length > 0 || mustRefuse;
}

const NOTHING_EXPECTED = "Say what the question expects: a source, a fact or a refusal";
const CONTRADICTION = "A question that must be refused cannot have facts";

/** The same rules for a new question and for a changed one. */
function withRules<Schema extends z.ZodType<Expectation>>(schema: Schema) {
  return schema
    .refine(expectsSomething, { path: ["expectedSource"], message: NOTHING_EXPECTED })
    .refine(({ facts, mustRefuse }) => facts.length === 0 || !mustRefuse, {
      path: ["facts"],
      message: CONTRADICTION,
    });
}

export const testQuestionInput = withRules(fields);
/** With the id of the test question to change, and when it had last changed as it was shown; null for a new one. */
export const saveTestQuestionInput = withRules(
  fields.extend({ id: z.uuid().nullable(), updatedAt: z.date().nullable().default(null) }),
);
export const testQuestionIdInput = z.strictObject({ id: z.uuid() });

export const runInput = z.strictObject({});

export type TestQuestionInput = z.input<typeof testQuestionInput>;
export type SaveTestQuestionInput = z.input<typeof saveTestQuestionInput>;

export interface TestQuestionFilter {
  state: ListedState | null;
  /** Words of the question, or of a source's identifier. */
  search: string;
}

import { z } from "zod";
import { shortened } from "../text.ts";
import { textInput } from "../text-input.ts";

const ANSWER_MAX = 20_000;

/** An answer that a member reports as wrong, with their note. */
export const reportAnswerInput = z.strictObject({
  requestId: z.uuid(),
  question: textInput().max(8_000),
  // a verified answer can be longer, and its beginning says which it is
  answer: textInput()
    .overwrite((answer) => shortened(answer, ANSWER_MAX))
    .max(ANSWER_MAX),
  note: textInput().trim().max(2_000, "must have at most 2,000 characters"),
});

export const reportIdInput = z.strictObject({ id: z.uuid() });

export const requestIdInput = z.strictObject({ id: z.uuid() });

import { z } from "zod";
import { textInput } from "../text-input.ts";

/** An answer that a member reports as wrong, with their note. */
export const reportAnswerInput = z.strictObject({
  requestId: z.uuid(),
  question: textInput().max(8_000),
  answer: textInput().max(20_000),
  note: textInput().trim().max(2_000, "must have at most 2,000 characters"),
});

export const reportIdInput = z.strictObject({ id: z.uuid() });

export const requestIdInput = z.strictObject({ id: z.uuid() });

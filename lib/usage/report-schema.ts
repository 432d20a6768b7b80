import { z } from "zod";

/** An answer that a member finds wrong, with what they have to say about it. */
export const reportAnswerInput = z.strictObject({
  requestId: z.uuid(),
  question: z.string().max(8_000),
  answer: z.string().max(20_000),
  note: z.string().trim().max(2_000, "must have at most 2,000 characters"),
});

export const resolveReportInput = z.strictObject({ id: z.uuid() });

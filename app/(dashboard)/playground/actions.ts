"use server";

import { action } from "@/lib/auth/action.ts";
import { whyNotInput } from "@/lib/playground/schema.ts";
import { whyNot } from "@/lib/playground/why-not.ts";
import { reportAnswer } from "@/lib/usage/report.ts";
import { reportAnswerInput } from "@/lib/usage/report-schema.ts";

/** Explains why an expected source is missing from the results of a run. */
export const whyNotAction = action(
  { name: "playground.why_not", schema: whyNotInput, refresh: false },
  ({ scope, actor, input }) => whyNot(scope, actor, input),
);

export const reportAnswerAction = action(
  { name: "playground.report", schema: reportAnswerInput, refresh: false },
  ({ scope, actor, input }) => reportAnswer(scope, actor, input),
);

"use server";

import { action } from "@/lib/auth/action.ts";
import { runInPlayground } from "@/lib/playground/run.ts";
import { runInput, whyNotInput } from "@/lib/playground/schema.ts";
import { whyNot } from "@/lib/playground/why-not.ts";
import { reportAnswer } from "@/lib/usage/report.ts";
import { reportAnswerInput } from "@/lib/usage/report-schema.ts";

/** The service of the API, held to a key's policy when one is chosen; the key itself is neither needed nor touched. */
export const runAction = action(
  { name: "playground.run", schema: runInput, refresh: false },
  async ({ scope, actor, input, requestId }) => ({
    requestId,
    ...(await runInPlayground(scope, actor, { requestId, ...input })),
  }),
);

/** What became of a source that was expected in a run. */
export const whyNotAction = action(
  { name: "playground.why_not", schema: whyNotInput, refresh: false },
  ({ scope, actor, input }) => whyNot(scope, actor, input),
);

export const reportAnswerAction = action(
  { name: "playground.report", schema: reportAnswerInput, refresh: false },
  ({ scope, actor, input }) => reportAnswer(scope, actor, input),
);

"use server";

import { action } from "@/lib/auth/action.ts";
import { askAgain } from "@/lib/playground/ask-again.ts";
import { changeGap } from "@/lib/usage/gaps/change.ts";
import { gapChange } from "@/lib/usage/gaps/schema.ts";
import { reopenReport, resolveReport } from "@/lib/usage/report.ts";
import { reportIdInput, requestIdInput } from "@/lib/usage/report-schema.ts";

export const resolveReportAction = action(
  { name: "answer.resolve", schema: reportIdInput },
  ({ scope, actor, input }) => resolveReport(scope, actor, input.id),
);

export const reopenReportAction = action({ name: "answer.reopen", schema: reportIdInput }, ({ scope, actor, input }) =>
  reopenReport(scope, actor, input.id),
);

export const askAgainAction = action(
  { name: "request.ask_again", schema: requestIdInput, refresh: false },
  ({ scope, actor, input, requestId }) => askAgain(scope, actor, { id: input.id, requestId }),
);

export const changeGapAction = action({ name: "gap.change", schema: gapChange }, ({ scope, actor, input }) =>
  changeGap(scope, actor, input),
);

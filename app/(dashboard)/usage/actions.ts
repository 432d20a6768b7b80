"use server";

import { action } from "@/lib/auth/action.ts";
import { reopenReport, resolveReport } from "@/lib/usage/report.ts";
import { reportIdInput } from "@/lib/usage/report-schema.ts";

export const resolveReportAction = action(
  { name: "answer.resolve", schema: reportIdInput },
  ({ scope, actor, input }) => resolveReport(scope, actor, input.id),
);

export const reopenReportAction = action({ name: "answer.reopen", schema: reportIdInput }, ({ scope, actor, input }) =>
  reopenReport(scope, actor, input.id),
);

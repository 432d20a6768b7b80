"use server";

import { action } from "@/lib/auth/action.ts";
import { resolveReport } from "@/lib/usage/report.ts";
import { resolveReportInput } from "@/lib/usage/report-schema.ts";

export const resolveReportAction = action(
  { name: "answer.resolve", schema: resolveReportInput },
  ({ scope, actor, input }) => resolveReport(scope, actor, input.id),
);

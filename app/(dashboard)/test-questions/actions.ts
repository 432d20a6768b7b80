"use server";

import { action } from "@/lib/auth/action.ts";
import { startTestRun } from "@/lib/test-questions/runs.ts";
import { runInput, saveTestQuestionInput, testQuestionIdInput } from "@/lib/test-questions/schema.ts";
import { deleteTestQuestion, saveTestQuestion } from "@/lib/test-questions/service.ts";

export const saveTestQuestionAction = action(
  { name: "test_question.save", schema: saveTestQuestionInput },
  ({ scope, actor, input }) => saveTestQuestion(scope, actor, input),
);

export const deleteTestQuestionAction = action(
  { name: "test_question.delete", schema: testQuestionIdInput },
  ({ scope, actor, input }) => deleteTestQuestion(scope, actor, input.id),
);

export const startTestRunAction = action({ name: "test_run.start", schema: runInput }, ({ scope, actor }) =>
  startTestRun(scope, actor),
);

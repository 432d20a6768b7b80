import { DEFAULT_SETTINGS } from "../retrieval-settings/schema.ts";
import { changesBeforeFailures } from "../test-questions/changes.ts";
import { importTestQuestions, testQuestionsAsCsv } from "../test-questions/csv.ts";
import { evalFolder, importEvalFolder } from "../test-questions/eval-folder.ts";
import { countTestQuestions, startTestRun, testRunHistory } from "../test-questions/runs.ts";
import * as testQuestions from "../test-questions/service.ts";
import { listTrials, storeTrial } from "../test-questions/trials.ts";
import { trySettings } from "../test-questions/try-settings.ts";
import { verifiedCloseness } from "../test-questions/verified-closeness.ts";
import { collectParts } from "./collect-parts.ts";
import type { Callers, ServiceCall } from "./service-call.ts";

/** The service methods of `lib/test-questions`, for `SERVICE_CALLS`. */
export const TEST_QUESTION_CALLS = {
  listTestQuestions: [
    "members",
    (scope, actor) => testQuestions.listTestQuestions(scope, actor, { state: null, search: "" }, 1),
  ],
  getTestQuestion: [
    "members",
    (scope, actor, { testQuestionId }) => testQuestions.getTestQuestion(scope, actor, testQuestionId),
  ],
  saveTestQuestion: [
    "members",
    (scope, actor, { testQuestionId, keyId, externalId }) =>
      testQuestions.saveTestQuestion(scope, actor, {
        ...{ id: testQuestionId, question: "Q", apiKeyId: keyId, expectedSource: externalId },
      }),
  ],
  countTestQuestions: ["members", (scope, actor) => countTestQuestions(scope, actor)],
  trySettings: [
    "admins",
    (scope, actor) => collectParts(trySettings(scope, actor, DEFAULT_SETTINGS, new AbortController().signal)),
  ],
  listTrials: ["members", (scope, actor) => listTrials(scope, actor)],
  storeTrial: [
    "admins",
    (scope, actor) =>
      storeTrial(scope, actor, {
        ...{ saved: {}, proposed: {} },
        outcome: {
          ...{ asked: 0, better: 0, worse: 0, winner: null, probability: 1 },
          passed: { now: 0, proposed: 0 },
        },
      }),
  ],
  verifiedCloseness: ["members", (scope, actor) => verifiedCloseness(scope, actor)],
  startTestRun: ["members", (scope, actor) => startTestRun(scope, actor)],
  testRunHistory: ["members", (scope, actor) => testRunHistory(scope, actor)],
  changesBeforeFailures: [
    "members",
    (scope, actor, { testQuestionId: id, externalId, keyId }) => {
      const at = { passedAt: new Date("2000-01-01"), failedAt: new Date("2100-01-01") };
      const about = { expectedSource: externalId, excludedSource: null, outcome: null, apiKeyId: keyId };
      return changesBeforeFailures(scope, actor, [{ id, ...at, ...about }]).then((found) => [...found]);
    },
  ],
  testQuestionsAsCsv: ["members", (scope, actor) => testQuestionsAsCsv(scope, actor)],
  importTestQuestions: [
    "members",
    (scope, actor) => {
      const bytes = Buffer.from("question,mustRefuse\r\nQ,yes\r\n");
      return importTestQuestions(scope, actor, { fileName: "q.csv", bytes });
    },
  ],
  evalFolder: [
    "admins",
    async (scope, actor) => {
      const files = await evalFolder(scope, actor);
      const texts: unknown[] = [];
      for (const { lines } of files) for await (const line of lines) texts.push(line);
      return texts;
    },
  ],
  importEvalFolder: ["admins", (scope, actor) => importEvalFolder(scope, actor, "no-such-folder")],
  deleteTestQuestion: [
    "members",
    (scope, actor, { testQuestionId }) => testQuestions.deleteTestQuestion(scope, actor, testQuestionId),
  ],
} satisfies Record<string, [Callers, ServiceCall]>;

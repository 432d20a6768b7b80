import { afterEach, expect, test } from "vitest";
import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import { createKey, revokeKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { env } from "../env.ts";
import { verifyAnswers } from "../knowledge/verify/verify.ts";
import { explainSource } from "../retrieval/explain.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { DEFAULT_SETTINGS } from "../retrieval-settings/schema.ts";
import { saveRetrievalSettings } from "../retrieval-settings/service.ts";
import { startTestRun } from "../test-questions/runs.ts";
import { addTestQuestions, allTestQuestions, saveTestQuestion } from "../test-questions/service.ts";
import { verifiedCloseness } from "../test-questions/verified-closeness.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../testing/knowledge.ts";
import { getCalibration, switchCalibration, updateCalibration } from "./service.ts";

testDatabase();
afterEach(() => RUNNING_MODELS.set());

const THINGS = ["router", "invoice", "contract", "parcel", "garden", "kettle", "violin", "harbour", "desert", "candle"];

test("measures after a run, and calibrates every score once it is on, without another order or answer", async () => {
  const scope = await newCompany();
  await addAndIngest(
    scope,
    ...THINGS.map((thing) => document(`${thing}.md`, `The ${thing} is kept in the blue room upstairs.`)),
  );
  await expect(switchCalibration(scope, CLI_ACTOR, { on: true })).rejects.toMatchObject({ error: "Conflict" });
  await addTestQuestions(
    scope,
    CLI_ACTOR,
    THINGS.flatMap((thing) => [
      { question: `Where is the ${thing}?`, expectedSource: `${thing}.md` },
      { question: `Which room has the ${thing}?`, expectedSource: `${thing}.md` },
    ]),
  );
  await startTestRun(scope, CLI_ACTOR);
  await work(scope);
  const { isOn, calibration } = await getCalibration(scope, SYSTEM_ACTOR);
  expect(isOn).toBe(false);
  expect(calibration).toMatchObject({ questions: 20, results: 200 });
  expect(calibration?.error.after).toBeLessThan(calibration?.error.before ?? 0);

  const question = { queryText: "Where is the violin?", returnMode: "ai_generated_answer" as const };
  const before = await ask(scope, question);
  expect(before.trace.calibrated).toBeUndefined();
  await switchCalibration(scope, CLI_ACTOR, { on: true });
  const after = await ask(scope, question);
  const idsOf = ({ response }: typeof before) => response.results.map(({ id }) => id);
  expect(idsOf(after)).toEqual(idsOf(before));
  expect(after.response.aiGeneratedAnswer).toBe(before.response.aiGeneratedAnswer);
  expect(after.trace.calibrated).toBe(true);
  const rawScores = after.trace.results.map(({ rawScore }) => rawScore);
  expect(rawScores).toEqual(before.response.results.map(({ score }) => score));
  const even = await ask(scope, { ...question, scoreThreshold: 0.5 });
  expect(even.response.results.map(({ payload }) => payload.sourceId)).toEqual(["violin.md"]);
  const request = retrieveRequest.parse({ queryText: question.queryText });
  const { verdict } = await explainSource(scope, request, { policy: {}, name: "violin.md" });
  expect(verdict).toMatchObject({ kind: "returned", score: even.response.results[0]?.score });

  // the curve belongs to the search weights that were judged
  await saveRetrievalSettings(scope, CLI_ACTOR, { ...DEFAULT_SETTINGS, vectorWeight: 0.9 });
  const reweighted = await ask(scope, question);
  expect(reweighted.trace.calibrated).toBeUndefined();
  const tested = await allTestQuestions(scope, SYSTEM_ACTOR);
  await updateCalibration(
    scope,
    tested.flatMap(({ outcome }) => outcome?.judged ?? []),
  );
  expect((await getCalibration(scope, SYSTEM_ACTOR)).calibration).toBeNull();
  await startTestRun(scope, CLI_ACTOR);
  await work(scope);
  expect((await getCalibration(scope, SYSTEM_ACTOR)).calibration).toMatchObject({ questions: 20 });

  // the curve of the rerank scores belongs to the reranker that was judged
  const isCalibrated = async (useRerank: boolean) => (await ask(scope, { ...question, useRerank })).trace.calibrated;
  expect(await isCalibrated(true)).toBe(true);
  const score = async (_: string, documents: string[]) => documents.map((_, index) => 1 / (index + 2));
  RUNNING_MODELS.set({ ...createModels(env()), rerankModel: () => ({ modelId: "another", isRemote: false, score }) });
  expect(await isCalibrated(true)).toBeUndefined();
  expect(await isCalibrated(false)).toBe(true);
  await startTestRun(scope, CLI_ACTOR);
  await work(scope);
  expect(await isCalibrated(true)).toBe(true);
  RUNNING_MODELS.set();
  expect(await isCalibrated(true)).toBeUndefined();
});

test("a run that cannot ask every question changes neither the calibration nor the closeness of verified answers", async () => {
  const scope = await newCompany();
  const hours = { sourceType: "qa", sourceId: "hours", question: "When do you open?", answer: "We open at nine." };
  const texts = THINGS.map((thing) => document(`${thing}.md`, `The ${thing} is kept in the blue room upstairs.`));
  const [verified] = await addAndIngest(scope, hours, ...texts);
  await verifyAnswers(scope, CLI_ACTOR, { ids: [verified?.id ?? ""], until: null });
  const questions = THINGS.flatMap((thing) =>
    [`Where is the ${thing}?`, `Which room has the ${thing}?`].map((question) => ({
      question,
      expectedSource: `${thing}.md`,
    })),
  );
  await addTestQuestions(scope, CLI_ACTOR, questions.slice(1));
  const { id: apiKeyId } = await createKey(scope, CLI_ACTOR, { name: "Visitors" });
  await saveTestQuestion(scope, CLI_ACTOR, { id: null, question: hours.question, expectedSource: "hours", apiKeyId });
  const learntByRun = async () => {
    await startTestRun(scope, CLI_ACTOR);
    await work(scope);
    const { calibration } = await getCalibration(scope, SYSTEM_ACTOR);
    return { calibration, closeness: await verifiedCloseness(scope, SYSTEM_ACTOR) };
  };
  const learnt = await learntByRun();
  expect(learnt).toMatchObject({ calibration: { questions: 20 }, closeness: { isOwn: true } });

  const score = () => Promise.reject(new Error("overloaded"));
  RUNNING_MODELS.set({ ...createModels(env()), rerankModel: () => ({ modelId: "away", isRemote: false, score }) });
  expect(await learntByRun()).toEqual(learnt);
  RUNNING_MODELS.set();
  await revokeKey(scope, CLI_ACTOR, apiKeyId);
  expect(await learntByRun()).toEqual(learnt);
});

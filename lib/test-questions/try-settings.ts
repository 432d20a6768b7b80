import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TestProblem, TrialOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, parseInput } from "../errors.ts";
import { signTest } from "../evaluation/sign-test.ts";
import { log } from "../log.ts";
import { countRun } from "../playground/run.ts";
import { yieldToSearches } from "../retrieval/search-queue.ts";
import { type RetrievalSettingsForm, retrievalSettingsForm, toSettings } from "../retrieval-settings/schema.ts";
import { getRetrievalSettings } from "../retrieval-settings/service.ts";
import { askTestQuestion, hasPassed } from "./ask-question.ts";
import { allTestQuestions } from "./service.ts";
import { sourceNames } from "./source-names.ts";
import { storeTrial } from "./trials.ts";

/** A test question that passes with only one of two settings. */
interface TrialChange {
  id: string;
  question: string;
  passes: "now" | "proposed";
  /** What goes wrong with the other settings. */
  problems: TestProblem[];
}

/** How the test questions do now and with proposed settings. */
export interface Trial extends TrialOutcome {
  notAsked: number;
  changes: TrialChange[];
  /** What people call the sources of the problems, as entries by the caller's identifier. */
  names: [string, string][];
}

export type TrialPart = { type: "progress"; done: number; total: number } | { type: "finished"; trial: Trial };

/**
 * Asks every test question with the company's settings and with the proposed ones, and stores how many
 * passed. No question is logged. A trial counts as one run against the member's own rate limit. A trial that could not be
 * stored is still returned.
 * @throws {AppError} Forbidden for support staff; TooManyRequests; ValidationError; Conflict when there are no test
 * questions
 */
export async function* trySettings(
  scope: TenantScope,
  actor: Actor,
  input: RetrievalSettingsForm,
  signal: AbortSignal,
): AsyncGenerator<TrialPart> {
  requireAdmin(scope, actor);
  if (actor.type === "user") await countRun(actor.id);
  const proposed = toSettings(parseInput(retrievalSettingsForm, input));
  const now = toSettings(await getRetrievalSettings(scope, actor));
  const questions = await allTestQuestions(scope, actor);
  if (questions.length === 0) throw new AppError("Conflict", "There are no test questions. Add one first.");
  const changes: TrialChange[] = [];
  const passed = { now: 0, proposed: 0 };
  let asked = 0;
  for (const [index, question] of questions.entries()) {
    yield { type: "progress", done: index, total: questions.length };
    await yieldToSearches();
    const before = await askTestQuestion(scope, question, { signal, settings: now });
    const after = await askTestQuestion(scope, question, { signal, settings: proposed });
    const [passedNow, passedProposed] = [hasPassed(before), hasPassed(after)];
    if (passedNow === null || passedProposed === null) continue;
    asked += 1;
    passed.now += Number(passedNow);
    passed.proposed += Number(passedProposed);
    if (passedNow === passedProposed) continue;
    const { problems } = passedNow ? after : before;
    changes.push({
      id: question.id,
      question: question.question,
      passes: passedNow ? "now" : "proposed",
      problems,
    });
  }
  const better = changes.filter(({ passes }) => passes === "proposed").length;
  const worse = changes.length - better;
  const { probability, isSignificant } = signTest(better, worse);
  const winner = isSignificant ? (better > worse ? "proposed" : "now") : null;
  const outcome = { asked, passed, better, worse, winner, probability } satisfies TrialOutcome;
  // stored before the last part, after which the page lists the trials; an error must not lose minutes of work
  await storeTrial(scope, actor, { saved: now, proposed, outcome }).catch((error: unknown) =>
    log().warn({ err: error }, "a trial could not be stored"),
  );
  const named = changes.flatMap(({ problems }) =>
    problems.flatMap((each) => ("sourceId" in each ? each.sourceId : [])),
  );
  const names = await scope.transaction((tx) => sourceNames(tx, scope.companyId, named));
  yield { type: "finished", trial: { ...outcome, notAsked: questions.length - asked, changes, names: [...names] } };
}

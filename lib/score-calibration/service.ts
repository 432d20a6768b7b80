import { and, eq, sql } from "drizzle-orm";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import { companies } from "../db/schema/index.ts";
import type { JudgedOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { JUDGED_QUESTIONS_MIN, measureCalibration } from "./measure.ts";
import { type SwitchCalibrationInput, switchCalibrationInput } from "./schema.ts";

/** Whether the company calibrates its scores, and by which calibration. @throws {AppError} NotFound */
export async function getCalibration(scope: TenantScope, actor: Actor) {
  requireMembership(scope, actor);
  const [row] = await scope.transaction((tx) =>
    tx
      .select({ isOn: companies.calibratesScores, calibration: companies.scoreCalibration })
      .from(companies)
      .where(eq(companies.id, scope.companyId)),
  );
  if (!row) throw notFound("Company");
  return { ...row, questionsMin: JUDGED_QUESTIONS_MIN };
}

/**
 * Starts or stops calibrating the company's scores, from the next request on. The order of results stays the same.
 * @throws {AppError} Forbidden for support staff; NotFound; Conflict while the company has no calibration
 */
export async function switchCalibration(
  scope: TenantScope,
  actor: Actor,
  input: SwitchCalibrationInput,
): Promise<void> {
  requireAdmin(scope, actor);
  const { on } = parseInput(switchCalibrationInput, input);
  const own = eq(companies.id, scope.companyId);
  await scope.changeContent(async (tx) => {
    const [before] = await tx.select().from(companies).where(own).for("update");
    if (!before) throw notFound("Company");
    if (on && !before.scoreCalibration) {
      throw new AppError(
        "Conflict",
        `Scores can be calibrated after a run that asks ${JUDGED_QUESTIONS_MIN} test questions with an expected source or a refusal.`,
      );
    }
    if (before.calibratesScores === on) return;
    await tx.update(companies).set({ calibratesScores: on, retrievalChangedAt: sql`now()` }).where(own);
    await recordAudit(tx, scope.companyId, actor, {
      action: "company.retrieval_changed",
      target: { type: "company", id: scope.companyId, name: before.name },
      detail: { calibratesScores: { from: before.calibratesScores, to: on } },
    });
  });
}

/**
 * Measures the calibration again, after a run of the test questions. Results that were scored with another weight or
 * model than the company has now, or by another reranker than those of the last question, do not count.
 * @param questions the judged results of each question, in the order in which they were asked
 */
export async function updateCalibration(scope: TenantScope, questions: readonly JudgedOutcome[]): Promise<void> {
  const own = eq(companies.id, scope.companyId);
  const [company] = await scope.transaction((tx) =>
    tx
      .select({
        settings: companies.retrievalSettings,
        modelId: companies.embeddingModelId,
        before: companies.scoreCalibration,
        isOn: companies.calibratesScores,
      })
      .from(companies)
      .where(own),
  );
  if (!company) return;
  const { settings, modelId } = company;
  const reranker = questions.at(-1)?.by?.reranker;
  const current = questions.filter(
    ({ by }) =>
      by?.vectorWeight === (settings.vectorWeight ?? null) &&
      by.modelId === modelId &&
      // an earlier release began the run
      (by.reranker === undefined || by.reranker === reranker),
  );
  const stage = settings.useRerank ? "reranked" : "combined";
  const measured = measureCalibration(current, stage, new Date());
  const scoreCalibration = measured && { ...measured, ...(reranker !== undefined && { reranker }) };
  if (!scoreCalibration && !company.before) return;
  // a change since then has deleted the calibration
  const unchanged = and(
    own,
    eq(companies.retrievalSettings, settings),
    sql`${companies.embeddingModelId} is not distinct from ${modelId}::int`,
  );
  const change = company.isOn ? scope.changeContent : scope.transaction;
  await change((tx) => tx.update(companies).set({ scoreCalibration }).where(unchanged));
}

import { and, asc, count, desc, eq, ilike, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { listKeyChoices } from "../api-keys/service.ts";
import { isLive } from "../api-keys/status.ts";
import { requireMembership } from "../audit/permissions.ts";
import { type Actor, type AuditEvent, recordAudit } from "../audit/record.ts";
import { counted } from "../counted.ts";
import type { Transaction } from "../db/client.ts";
import { lockCompany } from "../db/lock-company.ts";
import { loggedRequests } from "../db/logged-requests.ts";
import { testQuestions } from "../db/schema/index.ts";
import { containsPattern } from "../db/sql.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput, validationError } from "../errors.ts";
import { pageWithin } from "../page.ts";
import { readSettings, writtenFilters } from "../retrieval/logged-settings.ts";
import { sortedJson } from "../sorted-json.ts";
import { getRequest } from "../usage/log.ts";
import {
  type SaveTestQuestionInput,
  saveTestQuestionInput,
  TEST_QUESTIONS_MAX,
  TEST_QUESTIONS_PER_PAGE,
  type TestQuestionFilter,
  type TestQuestionInput,
  testQuestionInput,
} from "./schema.ts";
import { sourceNames, sourcesTitled } from "./source-names.ts";

export type TestQuestion = typeof testQuestions.$inferSelect;

/** A question that changed has no outcome until its next run. */
const NOT_RUN = { state: null, outcome: null, checkedAt: null, passedAt: null, failedAt: null };

/**
 * A page of test questions, failing ones first, then by the last change, with what people call their sources, and those
 * of their requests that are still in the log.
 * @param wanted from 1; a number past the last page means the last page
 */
export async function listTestQuestions(
  scope: TenantScope,
  actor: Actor,
  { state, search }: TestQuestionFilter,
  wanted: number,
) {
  requireMembership(scope, actor);
  const own = eq(testQuestions.companyId, scope.companyId);
  return scope.snapshot(async (tx) => {
    const mentioning = search ? mentions(tx, scope, search) : undefined;
    const matching = and(own, state ? hasState(state) : undefined, mentioning);
    const states = await tx
      .select({ state: testQuestions.state, questions: count() })
      .from(testQuestions)
      .where(own)
      .groupBy(testQuestions.state);
    const total = await tx.$count(testQuestions, matching);
    const { page, limit, offset } = pageWithin(wanted, { total, pageSize: TEST_QUESTIONS_PER_PAGE });
    const rows = await tx
      .select()
      .from(testQuestions)
      .where(matching)
      .orderBy(
        desc(sql`${testQuestions.state} is not distinct from 'failed'`),
        desc(testQuestions.updatedAt),
        asc(testQuestions.id),
      )
      .limit(limit)
      .offset(offset);
    const numberOf = (wantedState: TestQuestion["state"]) =>
      states.find(({ state: each }) => each === wantedState)?.questions ?? 0;
    const counts = {
      passed: numberOf("passed"),
      failed: numberOf("failed"),
      unknown: numberOf("unknown"),
      new: numberOf(null),
    };
    const named = rows.flatMap((row) => [row.expectedSource ?? [], row.excludedSource ?? []].flat());
    const names = await sourceNames(tx, scope.companyId, named);
    const requestIds = rows.flatMap((row) => row.requestId ?? []);
    const requests = new Set((await loggedRequests(tx, scope.companyId, requestIds)).keys());
    return { total, page, rows, counts, names, requests };
  });
}

function hasState(state: NonNullable<TestQuestionFilter["state"]>): SQL {
  return state === "new" ? isNull(testQuestions.state) : eq(testQuestions.state, state);
}

function mentions(tx: Transaction, { companyId }: TenantScope, search: string): SQL | undefined {
  const part = containsPattern(search);
  const { question, expectedSource, excludedSource } = testQuestions;
  const titled = sourcesTitled(tx, companyId, search);
  return or(
    ilike(question, part),
    ...[expectedSource, excludedSource].flatMap((source) => [ilike(source, part), inArray(source, titled)]),
  );
}

/** All test questions, in the order in which they were added. */
export async function allTestQuestions(scope: TenantScope, actor: Actor): Promise<TestQuestion[]> {
  requireMembership(scope, actor);
  return scope.transaction((tx) =>
    tx
      .select()
      .from(testQuestions)
      .where(eq(testQuestions.companyId, scope.companyId))
      .orderBy(asc(testQuestions.createdAt), asc(testQuestions.id)),
  );
}

/** @throws {AppError} NotFound */
export async function getTestQuestion(scope: TenantScope, actor: Actor, id: string): Promise<TestQuestion> {
  requireMembership(scope, actor);
  const [row] = await scope.transaction((tx) => tx.select().from(testQuestions).where(ofId(scope, id)));
  if (!row) throw notFound("Test question");
  return row;
}

/** The filters of a logged request. @throws {AppError} NotFound */
async function filtersOf(scope: TenantScope, actor: Actor, requestId: string): Promise<TestQuestion["filters"]> {
  const { request } = await getRequest(scope, actor, requestId);
  return writtenFilters(readSettings(request)?.filters ?? {});
}

/**
 * Adds test questions, and skips those that exist already.
 * @param filters of the request that they come from
 * @throws {AppError} ValidationError; Conflict when there would be too many
 */
export async function addTestQuestions(
  scope: TenantScope,
  actor: Actor,
  inputs: TestQuestionInput[],
  filters: TestQuestion["filters"] = {},
): Promise<{ added: number; known: number }> {
  requireMembership(scope, actor);
  const given = inputs.map((input) => ({ ...parseInput(testQuestionInput, input), filters }));
  return scope.transaction(async (tx) => {
    await lockCompany(tx, scope.companyId);
    const existing = await tx.select().from(testQuestions).where(eq(testQuestions.companyId, scope.companyId));
    const known = new Set(existing.map(contentOf));
    const fresh = given.filter((each) => !known.has(contentOf(each)) && known.add(contentOf(each)));
    if (existing.length + fresh.length > TEST_QUESTIONS_MAX) {
      throw new AppError("Conflict", `A company can have ${TEST_QUESTIONS_MAX} test questions. Delete some first.`);
    }
    if (fresh.length > 0) {
      const rows = await tx
        .insert(testQuestions)
        .values(fresh.map((each) => ({ ...each, companyId: scope.companyId })))
        .returning({ id: testQuestions.id });
      await record(tx, scope, actor, "added", { id: rows[0]?.id ?? "", questions: fresh.length });
    }
    return { added: fresh.length, known: given.length - fresh.length };
  });
}

/** Equal for two test questions that ask and expect the same. */
function contentOf(row: Omit<TestQuestion, keyof typeof NOT_RUN | "companyId" | "id" | "createdAt" | "updatedAt">) {
  const { question, apiKeyId, filters, expectedSource, excludedSource, facts, mustRefuse } = row;
  return sortedJson([question, apiKeyId, filters, expectedSource, excludedSource, facts, mustRefuse]);
}

/**
 * Adds a test question, or changes the one with the id.
 * @throws {AppError} NotFound, ValidationError; Conflict when the same question is there, or when the one with the id
 * has changed since it was shown
 */
export async function saveTestQuestion(scope: TenantScope, actor: Actor, input: SaveTestQuestionInput): Promise<void> {
  requireMembership(scope, actor);
  const { id, updatedAt, ...values } = parseInput(saveTestQuestionInput, input);
  if (values.apiKeyId) values.apiKeyId = await liveKey(scope, actor, values.apiKeyId);
  if (id === null) {
    const filters = values.requestId ? await filtersOf(scope, actor, values.requestId) : {};
    const { added } = await addTestQuestions(scope, actor, [values], filters);
    if (added === 0) throw alreadyExists();
    return;
  }
  const { requestId: _, ...changed } = values;
  await scope.transaction(async (tx) => {
    await lockCompany(tx, scope.companyId);
    const all = await tx.select().from(testQuestions).where(eq(testQuestions.companyId, scope.companyId));
    const before = all.find((each) => each.id === id);
    if (!before) throw notFound("Test question");
    const content = contentOf({ ...before, ...changed });
    if (all.some((each) => each.id !== id && contentOf(each) === content)) throw alreadyExists();
    const rows = await tx
      .update(testQuestions)
      .set({ ...changed, ...NOT_RUN, updatedAt: sql`now()` })
      .where(and(ofId(scope, id), updatedAt ? unchangedSince(updatedAt) : undefined))
      .returning({ id: testQuestions.id });
    if (rows.length === 0) throw new AppError("Conflict", "Someone changed this test question. Reload the page.");
    await record(tx, scope, actor, "changed", { id });
  });
}

function alreadyExists(): AppError {
  return new AppError("Conflict", "This test question already exists.");
}

/** That a test question has not changed since it was read: a Date has no microseconds. */
export function unchangedSince(updatedAt: Date): SQL {
  return sql`date_trunc('milliseconds', ${testQuestions.updatedAt}) = ${updatedAt.toISOString()}::timestamptz`;
}

/**
 * The key, or the last that replaced it: the API refuses other keys, so the question could not be asked.
 * @throws {AppError} ValidationError
 */
async function liveKey(scope: TenantScope, actor: Actor, keyId: string): Promise<string> {
  const keys = new Map((await listKeyChoices(scope, actor)).map((key) => [key.id, key]));
  let key = keys.get(keyId);
  while (key?.replacedById) key = keys.get(key.replacedById);
  if (key && isLive(key.status)) return key.id;
  throw validationError([{ path: "apiKeyId", message: "Choose an active key, or Everyone" }]);
}

/** @throws {AppError} NotFound */
export async function deleteTestQuestion(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  requireMembership(scope, actor);
  await scope.transaction(async (tx) => {
    const rows = await tx.delete(testQuestions).where(ofId(scope, id)).returning({ id: testQuestions.id });
    if (rows.length === 0) throw notFound("Test question");
    await record(tx, scope, actor, "deleted", { id });
  });
}

function ofId({ companyId }: TenantScope, id: string): SQL | undefined {
  return and(eq(testQuestions.companyId, companyId), eq(testQuestions.id, id));
}

/** The audit log never holds the question, which may come from a request and is kept no longer than requests there. */
async function record(
  tx: Transaction,
  { companyId }: TenantScope,
  actor: Actor,
  did: "added" | "changed" | "deleted",
  { id, questions = 1 }: { id: string; questions?: number },
): Promise<void> {
  const target: AuditEvent["target"] = { type: "test_question", id, name: counted(questions, "test question") };
  await recordAudit(tx, companyId, actor, { action: `test_question.${did}`, target });
}

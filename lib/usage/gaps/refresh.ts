import { and, eq, inArray, sql } from "drizzle-orm";
import { embedFor } from "../../ai/models.ts";
import { batches } from "../../db/batches.ts";
import type { Transaction } from "../../db/client.ts";
import { lockCompany } from "../../db/lock-company.ts";
import { questionGaps } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { flushQueryLog } from "../record.ts";
import { groupQuestions, type QuestionGroup } from "./group-questions.ts";
import { readUnanswered } from "./read-unanswered.ts";
import type { UnansweredQuestion } from "./sum-unanswered.ts";

/** Phrasings that a gap keeps. */
const PHRASINGS_MAX = 10;
/** A longer text is embedded by its beginning. */
const EMBEDDED_CHARACTERS_MAX = 500;
const TEXTS_PER_BATCH = 32;

const { assigneeId, snoozedUntil, dismissedAt } = questionGaps;
/** Someone assigned, snoozed or dismissed the gap. */
const isHandled = sql<boolean>`(${assigneeId} is not null or ${snoozedUntil} is not null or ${dismissedAt} is not null)`;

/**
 * Groups the questions of the log that have no answer yet, and those with an open report, by their meaning. Gaps whose
 * questions were answered since, or are no longer in the log, are deleted, and those that nobody has handled also when
 * many other questions were asked after them. Keeps none where queries are stored as hashes.
 */
export async function refreshGaps(scope: TenantScope): Promise<void> {
  await flushQueryLog();
  const { companyId } = scope;
  const gaps = await scope.transaction((tx) => storedGaps(tx, companyId));
  const handled = gaps.filter(({ isHandled }) => isHandled).flatMap(({ keys }) => keys);
  const questions = await readUnanswered(scope, new Set(handled));
  const known = new Set(gaps.flatMap(({ keys }) => keys));
  const fresh = questions.filter(({ key }) => !known.has(key));
  // without new questions there is nothing to compare
  const compared = fresh.length === 0 ? [] : [...fresh.map(({ text }) => text), ...gaps.map(({ first }) => first)];
  const vectorOf = await embedAll(companyId, compared);
  const groups = groupQuestions(questions, gaps, vectorOf);
  await scope.transaction(async (tx) => {
    // one refresh at a time: if another holds the lock, it does the same work
    await lockCompany(tx, companyId);
    const now = await storedGaps(tx, companyId);
    if (idsOf(now) === idsOf(gaps)) await store(tx, companyId, groups, gaps);
  });
}

async function storedGaps(tx: Transaction, companyId: CompanyId) {
  const rows = await tx
    .select({ id: questionGaps.id, questions: questionGaps.questions, isHandled })
    .from(questionGaps)
    .where(eq(questionGaps.companyId, companyId))
    .orderBy(questionGaps.id);
  return rows.map(({ id, questions, isHandled }) => ({
    id,
    isHandled,
    keys: questions.map(({ key }) => key),
    first: questions[0]?.text ?? "",
  }));
}

function idsOf(gaps: { id: string }[]): string {
  return gaps.map(({ id }) => id).join();
}

async function embedAll(companyId: CompanyId, texts: string[]): Promise<(text: string) => number[] | undefined> {
  const vectors = new Map<string, number[]>();
  for (const batch of batches([...new Set(texts)], TEXTS_PER_BATCH)) {
    const embedded = await embedFor(companyId)(batch.map((text) => text.slice(0, EMBEDDED_CHARACTERS_MAX)));
    for (const [index, text] of batch.entries()) vectors.set(text, embedded[index] ?? []);
  }
  return (text) => vectors.get(text);
}

async function store(
  tx: Transaction,
  companyId: CompanyId,
  groups: QuestionGroup<UnansweredQuestion>[],
  gaps: { id: string }[],
): Promise<void> {
  const kept = new Set(groups.map(({ id }) => id));
  const gone = gaps.flatMap(({ id }) => (kept.has(id) ? [] : id));
  if (gone.length > 0) {
    await tx.delete(questionGaps).where(and(eq(questionGaps.companyId, companyId), inArray(questionGaps.id, gone)));
  }
  if (groups.length === 0) return;
  await tx
    .insert(questionGaps)
    .values(groups.map(({ id, questions }) => ({ companyId, id: id ?? crypto.randomUUID(), ...sumOf(questions) })))
    .onConflictDoUpdate({
      target: [questionGaps.companyId, questionGaps.id],
      set: {
        questions: sql`excluded.questions`,
        times: sql`excluded.times`,
        reports: sql`excluded.reports`,
        keys: sql`excluded.keys`,
        lastAskedAt: sql`excluded.last_asked_at`,
      },
    });
}

function sumOf(questions: UnansweredQuestion[]) {
  const byKey = new Map<string | null, number>();
  for (const { id, times } of questions.flatMap(({ keys }) => keys)) byKey.set(id, (byKey.get(id) ?? 0) + times);
  return {
    questions: questions
      .slice(0, PHRASINGS_MAX)
      .map(({ key, text, times, requestId }) => ({ key, text, times, requestId })),
    times: questions.reduce((sum, { times }) => sum + times, 0),
    reports: questions.reduce((sum, { reports }) => sum + reports, 0),
    keys: [...byKey].map(([id, times]) => ({ id, times })).sort((a, b) => b.times - a.times),
    lastAskedAt: new Date(Math.max(...questions.map(({ askedAt }) => askedAt))),
  };
}

import { and, eq, inArray, sql } from "drizzle-orm";
import { embedFor } from "../../ai/models.ts";
import { batches } from "../../db/batches.ts";
import type { Transaction } from "../../db/client.ts";
import { companies, queryLog, questionGaps } from "../../db/schema/index.ts";
import type { GapKey } from "../../db/stored-json.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { isUnanswered } from "../conditions.ts";
import { flushQueryLog } from "../record.ts";
import { groupQuestions, type OpenQuestion, type QuestionGroup } from "./group-questions.ts";

/** The questions that were asked last are grouped. More would take seconds, and nobody works through them. */
const QUESTIONS_MAX = 300;
/** Beside them, the wordings of gaps that someone assigned, snoozed or dismissed, so that these gaps stay. */
const HANDLED_QUESTIONS_MAX = 1_000;
/** Wordings that a gap keeps. */
const WORDINGS_MAX = 10;
/** A longer text is embedded by its beginning. */
const EMBEDDED_CHARACTERS_MAX = 500;
const TEXTS_PER_BATCH = 32;

interface AskedQuestion extends OpenQuestion, Record<string, unknown> {
  /** Unanswered requests. */
  times: number;
  /** Open reports. */
  reports: number;
  keys: GapKey[];
  requestId: string;
  lastAskedAt: string;
}

/**
 * Groups the questions of the log that have no answer yet, and those with an open report, by their meaning. Gaps whose
 * questions were answered since, or are no longer in the log, are deleted, and those that nobody has handled also when
 * many other questions were asked after them. Keeps none where queries are stored as hashes.
 */
export async function refreshGaps(scope: TenantScope): Promise<void> {
  await flushQueryLog();
  const { companyId } = scope;
  const { questions, gaps } = await scope.snapshot(async (tx) => ({
    questions: await openQuestions(tx, companyId),
    gaps: await storedGaps(tx, companyId),
  }));
  const known = new Set(gaps.flatMap(({ keys }) => keys));
  const fresh = questions.filter(({ key }) => !known.has(key));
  // without new questions there is nothing to compare
  const compared = fresh.length === 0 ? [] : [...fresh.map(({ text }) => text), ...gaps.map(({ first }) => first)];
  const vectorOf = await embedAll(companyId, compared);
  const groups = groupQuestions(questions, gaps, vectorOf);
  await scope.transaction(async (tx) => {
    // one refresh at a time: if another holds the lock, it does the same work
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for("no key update");
    const now = await storedGaps(tx, companyId);
    if (idsOf(now) === idsOf(gaps)) await store(tx, companyId, groups, gaps);
  });
}

async function storedGaps(tx: Transaction, companyId: CompanyId) {
  const rows = await tx
    .select({ id: questionGaps.id, questions: questionGaps.questions })
    .from(questionGaps)
    .where(eq(questionGaps.companyId, companyId))
    .orderBy(questionGaps.id);
  return rows.map(({ id, questions }) => ({
    id,
    keys: questions.map(({ key }) => key),
    first: questions[0]?.text ?? "",
  }));
}

function idsOf(gaps: { id: string }[]): string {
  return gaps.map(({ id }) => id).join();
}

/**
 * The most frequent first: the questions that were asked last, and those of gaps that someone has handled. Playground runs count neither as asked nor as a gap, but an answer there closes one.
 */
async function openQuestions(tx: Transaction, companyId: CompanyId): Promise<AskedQuestion[]> {
  return tx.execute<AskedQuestion>(sql`
    with requests as (
      select lower(btrim(query_text)) as key, query_text as text, id, at, api_key_id, answered, total,
        ${isUnanswered} as missed, origin <> 'playground' as counts
      from ${queryLog} where company_id = ${companyId} and query_text is not null and status_code < 400
    ), asked as (
      select key, min(text) as text, count(*) filter (where missed and counts)::int as times,
        max(at) filter (where missed) as missed_at,
        -- results without an answer close a gap only when nothing was found before
        case when bool_or(answered = false) then max(at) filter (where answered)
          else max(at) filter (where not missed) end as answered_at,
        (array_agg(id order by at desc) filter (where missed and counts))[1] as request_id
      from requests group by key
    ), unanswered as (
      select key, text, times, 0 as reports, request_id, missed_at as at from asked
      where times > 0 and missed_at > coalesce(answered_at, '-infinity')
    ), reported as (
      select lower(btrim(question)) as key, min(question) as text, 0 as times, count(*)::int as reports,
        (array_agg(request_id order by created_at desc))[1] as request_id, max(created_at) as at
      from ragstone.answer_reports where company_id = ${companyId} and resolved_at is null group by 1
    ), handled as (
      select wording ->> 'key' as key from ${questionGaps}, jsonb_array_elements(questions) as wording
      where company_id = ${companyId}
        and (assignee_id is not null or snoozed_until is not null or dismissed_at is not null)
    ), every_open as (
      select key, min(text) as text, sum(times)::int as times, sum(reports)::int as reports,
        (array_agg(request_id order by at desc))[1] as request_id, max(at) as at,
        key in (select key from handled) as is_handled
      from (select * from unanswered union all select * from reported) as both_kinds
      where not (select hash_queries from ${companies} where id = ${companyId})
      group by key
    ), waiting as (
      (select * from every_open where not is_handled order by at desc, key limit ${QUESTIONS_MAX})
      union all
      (select * from every_open where is_handled order by at desc, key limit ${HANDLED_QUESTIONS_MAX})
    ), by_api_key as (
      select key, json_agg(json_build_object('id', api_key_id, 'times', asked_times)) as keys from (
        select key, api_key_id, count(*)::int as asked_times from requests
        where missed and counts and key in (select key from waiting) group by key, api_key_id
      ) as counted group by key
    )
    select key, text, times, reports, request_id as "requestId", at::text as "lastAskedAt",
      coalesce(keys, '[]') as keys
    from waiting left join by_api_key using (key) order by times + reports desc, at desc, key`);
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
  groups: QuestionGroup<AskedQuestion>[],
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

function sumOf(questions: AskedQuestion[]) {
  const byKey = new Map<string | null, number>();
  for (const { id, times } of questions.flatMap(({ keys }) => keys)) byKey.set(id, (byKey.get(id) ?? 0) + times);
  return {
    questions: questions
      .slice(0, WORDINGS_MAX)
      .map(({ key, text, times, requestId }) => ({ key, text, times, requestId })),
    times: questions.reduce((sum, { times }) => sum + times, 0),
    reports: questions.reduce((sum, { reports }) => sum + reports, 0),
    keys: [...byKey].map(([id, times]) => ({ id, times })).sort((a, b) => b.times - a.times),
    lastAskedAt: new Date(Math.max(...questions.map(({ lastAskedAt }) => Date.parse(lastAskedAt)))),
  };
}

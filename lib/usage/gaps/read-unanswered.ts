import { and, eq, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { answerReports, companies, queryLog } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { isUnanswered } from "../log-conditions.ts";
import { logSlices } from "../log-slices.ts";
import {
  type LoggedQuestion,
  type ReportedQuestion,
  sumUnanswered,
  type UnansweredQuestion,
} from "./sum-unanswered.ts";

/**
 * Reads the unanswered questions, or with an open report, the most frequent first: those that were asked last, and
 * those that someone has handled. A run in the playground counts neither as asked nor as a gap, but an answer there closes
 * one.
 * @param handled the keys of questions that someone has handled
 * @returns none where queries are stored as hashes
 */
export async function readUnanswered(scope: TenantScope, handled: ReadonlySet<string>): Promise<UnansweredQuestion[]> {
  if (await hashesQueries(scope)) return [];
  const unanswered = sumUnanswered(handled);
  for await (const { rows } of logSlices(scope, {}, askedIn)) unanswered.add(rows);
  return unanswered.open(await reportedQuestions(scope));
}

async function hashesQueries(scope: TenantScope): Promise<boolean> {
  const [company] = await scope.transaction((tx) =>
    tx.select({ hashes: companies.hashQueries }).from(companies).where(eq(companies.id, scope.companyId)),
  );
  return company?.hashes ?? true;
}

/** The questions of a slice of the log, by their text without case and outer spaces, and by who asked. */
async function askedIn(tx: Transaction, slice: SQL | undefined): Promise<LoggedQuestion[]> {
  const { id, at, apiKeyId, queryText, origin, answered, statusCode } = queryLog;
  const condition = and(slice, isNotNull(queryText), lt(statusCode, 400));
  // null for results that no answer was asked for
  const isWithoutAnswer = sql`coalesce(${isUnanswered}, false)`;
  return tx.execute<LoggedQuestion & Record<string, unknown>>(sql`
      with requests as (
        select lower(btrim(${queryText})) as key, ${queryText} as text, ${id} as id, ${apiKeyId} as api_key_id,
          ${microseconds(sql`${at}`)} as at, ${answered} as answered, ${isWithoutAnswer} as unanswered,
          ${isWithoutAnswer} and ${origin} <> 'playground' as counts
        from ${queryLog} where ${condition}
      )
      select key, min(text) as text, api_key_id as "apiKeyId", (count(*) filter (where counts))::int as times,
        (array_agg(id order by at desc) filter (where counts))[1] as "requestId",
        max(at) filter (where counts) as "requestedAt", max(at) filter (where unanswered) as "unansweredAt",
        max(at) filter (where not unanswered) as "foundAt", max(at) filter (where answered) as "answeredAt",
        coalesce(bool_or(not answered), false) as refused
      from requests group by key, api_key_id`);
}

async function reportedQuestions(scope: TenantScope): Promise<ReportedQuestion[]> {
  const { companyId, question, requestId, createdAt, resolvedAt } = answerReports;
  return scope.transaction((tx) =>
    tx.execute<ReportedQuestion & Record<string, unknown>>(sql`
      select lower(btrim(${question})) as key, min(${question}) as text, count(*)::int as reports,
        (array_agg(${requestId} order by ${createdAt} desc))[1] as "requestId",
        max(${microseconds(sql`${createdAt}`)}) as "reportedAt"
      from ${answerReports} where ${companyId} = ${scope.companyId} and ${resolvedAt} is null group by 1`),
  );
}

/** A time in microseconds since 1970, as a number that JavaScript holds exactly. */
function microseconds(time: SQL): SQL {
  return sql`round(extract(epoch from ${time}) * 1000000)::double precision`;
}

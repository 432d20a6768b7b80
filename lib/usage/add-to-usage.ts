import { type SQL, sql } from "drizzle-orm";
import { usageDaily } from "../db/schema/index.ts";
import { companyLiteral, textLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { addCounts, type CountsByDay, type QueryRecord } from "./day-counts.ts";

interface LoggedRequests {
  records: readonly QueryRecord[];
  /** The statement that inserts the rows of the records. */
  insert: SQL;
}

/**
 * The statement that logs requests and adds them, and further counts, to a company's days. Only a row that is new in the
 * log counts: a batch is written again after an outage that may have come after its commit. Counts without rows
 * cannot be checked this way, so they may be added twice.
 * @param logged null when there are no requests to log
 */
export function addToUsage(companyId: CompanyId, logged: LoggedRequests | null, counts: CountsByDay): SQL {
  const { requests, errors, answers, unanswered } = usageDaily;
  const ofRecords = (logged?.records ?? []).flatMap((record) => daysOf(addCounts(new Map(), [record]), record.id));
  const json = textLiteral(JSON.stringify([...ofRecords, ...daysOf(counts, null)]));
  const inserted = logged ? sql`${logged.insert} on conflict do nothing returning id` : sql`select null::uuid as id`;
  // always in the same order, so that two processes cannot deadlock
  return sql`
    with inserted as (${inserted})
    insert into ${usageDaily} (company_id, day, requests, errors, answers, unanswered)
    select companies.id, added.day, sum(added.requests), sum(added.errors), sum(added.answers), sum(added.unanswered)
    from ragstone.companies, json_to_recordset(${json}::json)
      as added (id uuid, day date, requests int, errors int, answers int, unanswered int)
    where companies.id = ${companyLiteral(companyId)}
      and (added.id is null or added.id in (select id from inserted))
    group by companies.id, added.day order by added.day
    on conflict (company_id, day) do update set
      requests = ${requests} + excluded.requests, errors = ${errors} + excluded.errors,
      answers = ${answers} + excluded.answers, unanswered = ${unanswered} + excluded.unanswered`;
}

/** Counts by day as rows of JSON. */
function daysOf(counts: CountsByDay, id: string | null) {
  return [...counts].map(([day, values]) => ({ id, day, ...values }));
}

import { type SQL, sql } from "drizzle-orm";
import { usageDaily } from "../db/schema/index.ts";
import { companyLiteral, textLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { CountsByDay } from "./day-counts.ts";

/** The statement that adds counts to a company's days. */
export function addToUsage(companyId: CompanyId, counts: CountsByDay): SQL {
  const { requests, errors, answers, unanswered } = usageDaily;
  const json = textLiteral(JSON.stringify([...counts].map(([day, values]) => ({ day, ...values }))));
  // always in the same order, so that two processes cannot deadlock
  return sql`
    insert into ${usageDaily} (company_id, day, requests, errors, answers, unanswered)
    select companies.id, added.* from ragstone.companies, json_to_recordset(${json}::json)
      as added (day date, requests int, errors int, answers int, unanswered int)
    where companies.id = ${companyLiteral(companyId)} order by added.day
    on conflict (company_id, day) do update set
      requests = ${requests} + excluded.requests, errors = ${errors} + excluded.errors,
      answers = ${answers} + excluded.answers, unanswered = ${unanswered} + excluded.unanswered`;
}

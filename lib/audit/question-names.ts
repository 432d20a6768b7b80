import { sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { uuidArray } from "../db/sql.ts";
import { shortened } from "../text.ts";
import type { AuditTarget } from "./record.ts";

/** Characters of a question that its event shows. */
const NAME_MAX = 200;

interface Named {
  targetType: string;
  targetId: string;
  targetName: string;
}

/**
 * Names requests, unanswered questions and suggestions by the start of their question, as long as it is kept. The audit
 * log itself holds no questions, because it outlives them.
 */
export async function withQuestionNames<Row extends Named>(
  tx: Transaction,
  companyId: string,
  rows: Row[],
): Promise<Row[]> {
  const idsOf = (type: AuditTarget) =>
    uuidArray(rows.filter(({ targetType }) => targetType === type).map(({ targetId }) => targetId));
  const found = await tx.execute<{ id: string; name: string | null }>(sql`
    select id, query_text as name from ragstone.query_log
    where company_id = ${companyId} and id = any(${idsOf("request")})
    union all select id, questions -> 0 ->> 'text' from ragstone.question_gaps
    where company_id = ${companyId} and id = any(${idsOf("gap")})
    union all select id, coalesce(content ->> 'question', content ->> 'title') from ragstone.suggestions
    where company_id = ${companyId} and id = any(${idsOf("suggestion")})`);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, targetName: shortened(names.get(row.targetId) ?? row.targetName, NAME_MAX) }));
}

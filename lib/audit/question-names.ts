import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { queryLog, questionGaps, suggestions } from "../db/schema/index.ts";
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
  const idsOf = (type: AuditTarget) => rows.filter(({ targetType }) => targetType === type).map((row) => row.targetId);
  const names = new Map<string, string>();
  const requests = idsOf("request");
  if (requests.length > 0) {
    const found = await tx
      .select({ id: queryLog.id, name: queryLog.queryText })
      .from(queryLog)
      .where(and(eq(queryLog.companyId, companyId), inArray(queryLog.id, requests)));
    for (const { id, name } of found) if (name) names.set(id, name);
  }
  const gaps = idsOf("gap");
  if (gaps.length > 0) {
    const found = await tx
      .select({ id: questionGaps.id, questions: questionGaps.questions })
      .from(questionGaps)
      .where(and(eq(questionGaps.companyId, companyId), inArray(questionGaps.id, gaps)));
    for (const { id, questions } of found) if (questions[0]) names.set(id, questions[0].text);
  }
  const suggested = idsOf("suggestion");
  if (suggested.length > 0) {
    const found = await tx
      .select({ id: suggestions.id, content: suggestions.content })
      .from(suggestions)
      .where(and(eq(suggestions.companyId, companyId), inArray(suggestions.id, suggested)));
    for (const { id, content } of found) names.set(id, content.kind === "qa" ? content.question : content.title);
  }
  return rows.map((row) => ({ ...row, targetName: shortened(names.get(row.targetId) ?? row.targetName, NAME_MAX) }));
}

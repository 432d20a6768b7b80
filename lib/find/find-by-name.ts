import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { apiKeys, queryLog, sources, sourceVersions, testQuestions } from "../db/schema/index.ts";
import { containsPattern } from "../db/sql.ts";
import type { TenantScope } from "../db/tenant.ts";
import { hasRequestId } from "../usage/log-conditions.ts";
import { flushQueryLog } from "../usage/record.ts";

const FOUND_MAX = 6;

export type Found = Awaited<ReturnType<typeof findByName>>;

/**
 * Finds what a person may jump to: sources by title or identifier, keys by name, test questions by their words, and
 * requests by an id or its first eight or more digits.
 * @param text at least one character
 */
export async function findByName(scope: TenantScope, actor: Actor, text: string) {
  requireMembership(scope, actor);
  const { companyId } = scope;
  const withId = hasRequestId(companyId, text);
  if (withId) await flushQueryLog();
  const part = containsPattern(text);
  const { title, sourceType, contentCategory: category } = sourceVersions;
  return scope.snapshot(async (tx) => ({
    requests: withId
      ? await tx
          .select({ id: queryLog.id, question: queryLog.queryText, at: queryLog.at })
          .from(queryLog)
          .where(withId)
          .orderBy(desc(queryLog.at))
          .limit(FOUND_MAX)
      : [],
    sources: await tx
      .select({ id: sources.id, title, sourceId: sources.sourceId, sourceType, category })
      .from(sources)
      .innerJoin(
        sourceVersions,
        and(
          eq(sourceVersions.companyId, companyId),
          eq(sourceVersions.id, sql`coalesce(${sources.currentVersionId}, ${sources.latestVersionId})`),
        ),
      )
      .where(
        and(
          eq(sources.companyId, companyId),
          isNull(sources.deletedAt),
          sql`(${title} ilike ${part} or ${sources.sourceId} ilike ${part})`,
        ),
      )
      .orderBy(sql`length(${title})`, title)
      .limit(FOUND_MAX),
    keys: await tx
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.companyId, companyId), sql`${apiKeys.name} ilike ${part}`))
      .orderBy(apiKeys.name)
      .limit(FOUND_MAX),
    testQuestions: await tx
      .selectDistinct({ question: testQuestions.question })
      .from(testQuestions)
      .where(and(eq(testQuestions.companyId, companyId), sql`${testQuestions.question} ilike ${part}`))
      .orderBy(testQuestions.question)
      .limit(FOUND_MAX),
  }));
}

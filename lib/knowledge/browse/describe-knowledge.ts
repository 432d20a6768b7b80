import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { type Actor, requireMembership } from "../../audit/record.ts";
import { companies, sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { visibleTo } from "../visible-sources.ts";

const CATEGORIES_SHOWN = 8;
const list = new Intl.ListFormat("en", { type: "conjunction" });

/** Names the company and what a key can find there, because assistants choose tools by their descriptions. */
export async function describeKnowledge(scope: TenantScope, actor: Actor): Promise<string> {
  requireMembership(scope, actor, "retrieve");
  const { companyId } = scope;
  return scope.transaction(async (tx) => {
    const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
    const rows = await tx
      .select({ category: sourceVersions.contentCategory })
      .from(sources)
      .innerJoin(
        sourceVersions,
        and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.currentVersionId)),
      )
      .where(and(eq(sources.companyId, companyId), isNull(sources.deletedAt), visibleTo(companyId, actor)))
      .groupBy(sourceVersions.contentCategory)
      .orderBy(desc(sql`count(*)`), sourceVersions.contentCategory)
      .limit(CATEGORIES_SHOWN);
    const about = rows.length > 0 ? `, about ${list.format(rows.map(({ category }) => category))}` : "";
    return `the knowledge base of ${company?.name ?? "the company"}${about}`;
  });
}

import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { policyOf, requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { companies, sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { filtersOfPolicy } from "../../retrieval/apply-policy.ts";
import { visibleTo } from "../visible-sources.ts";

const CATEGORIES_SHOWN = 8;
const KEPT_BYTES = 4 << 20;
const ENTRY_BYTES = 200;
const list = new Intl.ListFormat("en", { type: "conjunction" });

interface Kept {
  stamp: string;
  categories: string[];
}

/** The categories of one content, by company and by the filters of a policy. Many assistants ask for them at each start. */
const kept = new LRUCache<string, Kept>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ categories }, key) => 2 * (key.length + categories.join().length) + ENTRY_BYTES,
});

/** Names the company and what a key can find there, because assistants choose tools by their descriptions. */
export async function describeKnowledge(scope: TenantScope, actor: Actor): Promise<string> {
  requireMembership(scope, actor, "retrieve");
  const { companyId } = scope;
  const key = JSON.stringify([companyId, filtersOfPolicy(policyOf(actor))]);
  // the stamp and the categories are of one moment
  return scope.snapshot(async (tx) => {
    const [company] = await tx
      .select({ name: companies.name, stamp: companies.contentStamp })
      .from(companies)
      .where(eq(companies.id, companyId));
    if (!company) return "the knowledge base of the company";
    const { name, stamp } = company;
    const known = kept.get(key);
    const categories = known?.stamp === stamp ? known.categories : await mainCategories(tx, companyId, actor);
    if (known?.stamp !== stamp) kept.set(key, { stamp, categories });
    const about = categories.length > 0 ? `, about ${list.format(categories)}` : "";
    return `the knowledge base of ${name}${about}`;
  });
}

/** The categories of most sources that the actor may see. They change only with the content stamp. */
async function mainCategories(tx: Transaction, companyId: CompanyId, actor: Actor): Promise<string[]> {
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
  return rows.map(({ category }) => category);
}

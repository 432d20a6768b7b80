import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { type Actor, recordAudit, requireAdmin } from "../../audit/record.ts";
import { counted } from "../../counted.ts";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { lockSources } from "../queries.ts";

/** A verification that an answer had where its export was made. */
export interface ImportedVerification {
  /** The id of the source's row. */
  id: string;
  /** The imported version. */
  versionId: string;
  by: string;
  until: string | null;
}

/**
 * Verifies imported answers in the name of those who verified them before, and of the one who imports them. Left out is
 * an answer whose older version is still returned, because that would be returned as verified.
 * @param keep false only counts
 * @returns the number of these answers that are verified now
 */
export async function importVerifications(
  scope: TenantScope,
  actor: Actor,
  { given, keep }: { given: ImportedVerification[]; keep: boolean },
): Promise<number> {
  requireAdmin(scope, actor);
  if (given.length === 0) return 0;
  const { companyId } = scope;
  const { id, latestVersionId, currentVersionId, verifiedAt } = sources;
  const versionIds = given.map(({ versionId }) => versionId);
  const imported = and(eq(sources.companyId, companyId), inArray(latestVersionId, versionIds));
  return scope.changeContent(async (tx) => {
    if (keep) {
      await lockSources(tx, { companyId, ids: given.map((each) => each.id) });
      const isServedAlone = or(isNull(currentVersionId), eq(currentVersionId, latestVersionId));
      const open = await tx
        .select({ id })
        .from(sources)
        .where(and(imported, isServedAlone, isNull(verifiedAt)));
      const openIds = new Set(open.map((source) => source.id));
      const verified = given.filter((each) => openIds.has(each.id));
      for (const each of verified) await verify(tx, companyId, actor, each);
      if (verified.length > 0) await record(tx, companyId, actor, verified.length);
    }
    return tx.$count(sources, and(imported, isNotNull(verifiedAt)));
  });
}

async function verify(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  { id, by, until }: ImportedVerification,
): Promise<void> {
  await tx
    .update(sources)
    .set({ verifiedAt: sql`now()`, verifiedBy: `${by}, imported by ${actor.name}`, verifiedUntil: until })
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id)));
}

async function record(tx: Transaction, companyId: CompanyId, actor: Actor, verified: number): Promise<void> {
  await recordAudit(tx, companyId, actor, {
    action: "knowledge.verified",
    target: { type: "sources", id: companyId, name: counted(verified, "source") },
    detail: { imported: true },
  });
}

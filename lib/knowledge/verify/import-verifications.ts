import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { type Answer, lockAnswers, recordVerification, setVerification } from "./verify.ts";

/** A verification that an answer had where its export was made. */
export interface ImportedVerification {
  /** The id of the source's row. */
  id: string;
  /** The imported version. */
  versionId: string;
  by: string;
  until: string | null;
}

/** What one import has verified in several transactions, which the audit log shows as one event. */
export interface KeptVerifications {
  eventId: string;
  answers: Answer[];
}

/**
 * Verifies imported answers in the name of those who verified them before, and of the one who imports them. Leaves
 * out an answer whose older version is still returned, because that version would count as verified.
 * @param kept what the import has verified before, which grows; null only counts
 * @returns the number of these answers that are verified now
 */
export async function importVerifications(
  scope: TenantScope,
  actor: Actor,
  given: ImportedVerification[],
  kept: KeptVerifications | null,
): Promise<number> {
  requireAdmin(scope, actor);
  if (given.length === 0) return 0;
  const { companyId } = scope;
  const { latestVersionId, verifiedAt } = sources;
  if (kept) await scope.changeContent((tx) => verifyOpen(tx, companyId, actor, { given, kept }));
  const versionIds = given.map(({ versionId }) => versionId);
  const imported = and(eq(sources.companyId, companyId), inArray(latestVersionId, versionIds));
  return scope.transaction((tx) => tx.$count(sources, and(imported, isNotNull(verifiedAt))));
}

/** Verifies the answers that are not verified yet. */
async function verifyOpen(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  { given, kept }: { given: ImportedVerification[]; kept: KeptVerifications },
): Promise<void> {
  const locked = await lockAnswers(
    tx,
    companyId,
    given.map(({ id }) => id),
  );
  const byVersion = new Map(locked.filter(isOpen).map((answer) => [answer.versionId, answer]));
  for (const { versionId, by, until } of given) {
    const answer = byVersion.get(versionId);
    if (!answer) continue;
    // names only the last importer, so that the text does not grow with each import
    const verifiedBy = `${by.replace(/, imported by .*/s, "")}, imported by ${actor.name}`;
    await setVerification(tx, companyId, [answer], { verifiedAt: new Date(), verifiedBy, verifiedUntil: until });
    kept.answers.push(answer);
  }
  const event = { id: kept.eventId, action: "knowledge.verified", detail: { imported: true } } as const;
  await recordVerification(tx, companyId, actor, event, kept.answers);
}

function isOpen({ isVerified, versionId, servedVersionId }: Answer): boolean {
  return !isVerified && (servedVersionId === null || servedVersionId === versionId);
}

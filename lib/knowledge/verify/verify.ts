import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Actor, type AuditEvent, recordAudit, requireAdmin } from "../../audit/record.ts";
import { counted } from "../../counted.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { AppError } from "../../errors.ts";
import type { verifyInput } from "./schema.ts";

const NOT_VERIFIED = { verifiedAt: null, verifiedBy: null, verifiedUntil: null };

interface Changed {
  id: string;
  title: string;
}

/**
 * Marks the answers of questions as verified, so that retrieval returns them word for word to questions that ask the
 * same. Other sources are left out.
 * @returns the number of verified answers
 * @throws {AppError} Conflict when none of the sources is a question with an answer
 */
export async function verifyAnswers(
  scope: TenantScope,
  actor: Actor,
  { ids, until }: z.output<typeof verifyInput>,
): Promise<number> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  return scope.changeContent(async (tx) => {
    const verified = await setVerification(tx, companyId, ids, {
      verifiedAt: new Date(),
      verifiedBy: actor.name,
      verifiedUntil: until,
    });
    if (verified.length === 0) throw new AppError("Conflict", "Only the answer of a question can be verified.");
    await record(tx, companyId, actor, "knowledge.verified", verified, { verifiedUntil: until });
    return verified.length;
  });
}

/** Withdraws the verification of answers. @returns the number of answers that were verified */
export async function withdrawVerification(scope: TenantScope, actor: Actor, ids: string[]): Promise<number> {
  requireAdmin(scope, actor);
  return scope.changeContent((tx) => endVerification(tx, scope.companyId, actor, ids, "knowledge.unverified"));
}

/** Ends the verification of answers whose text has changed. */
export async function loseVerification(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  if (ids.length > 0) await endVerification(tx, companyId, actor, ids, "knowledge.verification_lost");
}

async function endVerification(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  ids: string[],
  action: "knowledge.unverified" | "knowledge.verification_lost",
): Promise<number> {
  const verified = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, ids), isNotNull(sources.verifiedAt)));
  if (verified.length === 0) return 0;
  const ended = await setVerification(
    tx,
    companyId,
    verified.map(({ id }) => id),
    NOT_VERIFIED,
  );
  await record(tx, companyId, actor, action, ended);
  return ended.length;
}

/** Changes the verification of questions that are not deleted. */
async function setVerification(
  tx: Transaction,
  companyId: CompanyId,
  ids: string[],
  verification: Pick<typeof sources.$inferSelect, keyof typeof NOT_VERIFIED>,
): Promise<Changed[]> {
  return tx
    .update(sources)
    .set(verification)
    .from(sourceVersions)
    .where(
      and(
        eq(sources.companyId, companyId),
        inArray(sources.id, ids),
        isNull(sources.deletedAt),
        eq(sourceVersions.companyId, companyId),
        eq(sourceVersions.id, sources.latestVersionId),
        // a question may have become a document
        verification.verifiedAt === null ? sql`true` : eq(sourceVersions.sourceType, "qa"),
      ),
    )
    .returning({ id: sources.id, title: sourceVersions.title });
}

async function record(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  action: AuditEvent["action"],
  changed: Changed[],
  detail: Record<string, unknown> = {},
): Promise<void> {
  const [first, ...others] = changed;
  if (!first) return;
  const target: AuditEvent["target"] =
    others.length === 0
      ? { type: "source", id: first.id, name: first.title }
      : { type: "sources", id: companyId, name: counted(changed.length, "source") };
  await recordAudit(tx, companyId, actor, { action, target, detail });
}

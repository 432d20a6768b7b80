import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import { type Actor, type AuditEvent, recordAudit } from "../../audit/record.ts";
import { counted } from "../../counted.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { AppError } from "../../errors.ts";
import { matchesVersion } from "../matches-version.ts";
import { lockSources } from "../queries.ts";
import { visibleTo } from "../visible-sources.ts";
import type { verifyInput } from "./schema.ts";

const NOT_VERIFIED = { verifiedAt: null, verifiedBy: null, verifiedUntil: null };

/** The newest version of a source that may be verified. */
export type Answer = Awaited<ReturnType<typeof lockAnswers>>[number];

/**
 * Marks the answers of questions as verified, so that retrieval returns them word for word to questions that ask the
 * same. Other sources are left out, and answers whose newest version is not served yet.
 * @param input.versionId the version that was read, of a single source, as in `matchesVersion`
 * @returns the number of verified answers
 * @throws {AppError} Conflict when none of the sources is a question with an answer, or none is served in its newest
 * version; PreconditionFailed when the source has another version than the one that was read
 */
export async function verifyAnswers(
  scope: TenantScope,
  actor: Actor,
  { ids, until, versionId }: Omit<z.output<typeof verifyInput>, "filter">,
): Promise<number> {
  requireAdmin(scope, actor, "manage");
  const { companyId } = scope;
  return scope.changeContent(async (tx) => {
    const answers = (await lockAnswers(tx, companyId, await visibleIds(tx, companyId, actor, ids))).filter(
      ({ type }) => type === "qa",
    );
    if (answers.length === 0) throw new AppError("Conflict", "Only the answer of a question can be verified.");
    if (versionId && !answers.every((answer) => matchesVersion(versionId, answer.versionId))) {
      throw new AppError("PreconditionFailed", "The answer has changed. Read it, then verify it.");
    }
    const served = answers.filter(({ versionId, servedVersionId }) => versionId === servedVersionId);
    if (served.length === 0) {
      throw new AppError("Conflict", "The newest version is not ready yet. Verify the answer once it is ready.");
    }
    await setVerification(tx, companyId, served, {
      verifiedAt: new Date(),
      verifiedBy: actor.name,
      verifiedUntil: until,
    });
    const event = { action: "knowledge.verified", detail: { verifiedUntil: until } } as const;
    await recordVerification(tx, companyId, actor, event, served);
    return served.length;
  });
}

/** Withdraws the verification of answers. @returns the number of answers that were verified */
export async function withdrawVerification(scope: TenantScope, actor: Actor, ids: string[]): Promise<number> {
  requireAdmin(scope, actor, "manage");
  const { companyId } = scope;
  return scope.changeContent(async (tx) => {
    const visible = await visibleIds(tx, companyId, actor, ids);
    return endVerification(tx, companyId, actor, visible, "knowledge.unverified");
  });
}

/** Ends the verification of answers whose text has changed. */
export async function removeEditedVerifications(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
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
  const answers = await lockAnswers(
    tx,
    companyId,
    verified.map(({ id }) => id),
  );
  await setVerification(tx, companyId, answers, NOT_VERIFIED);
  await recordVerification(tx, companyId, actor, { action }, answers);
  return answers.length;
}

async function visibleIds(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, ids), visibleTo(companyId, actor)));
  return rows.map(({ id }) => id);
}

/** The newest versions of sources that are not deleted. No other change takes place until the transaction ends. */
export async function lockAnswers(tx: Transaction, companyId: CompanyId, ids: string[]) {
  await lockSources(tx, { companyId, ids });
  return tx
    .select({
      id: sources.id,
      title: sourceVersions.title,
      type: sourceVersions.sourceType,
      versionId: sourceVersions.id,
      servedVersionId: sources.currentVersionId,
      isVerified: sql<boolean>`${sources.verifiedAt} is not null`,
    })
    .from(sources)
    .innerJoin(
      sourceVersions,
      and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
    )
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, ids), isNull(sources.deletedAt)));
}

/** Sets the verification of locked answers, which is a change that clients follow and that starts a test run. */
export async function setVerification(
  tx: Transaction,
  companyId: CompanyId,
  answers: Answer[],
  verification: Pick<typeof sources.$inferSelect, keyof typeof NOT_VERIFIED>,
): Promise<void> {
  const ids = answers.map(({ id }) => id);
  await tx
    .update(sources)
    .set({ ...verification, updatedAt: sql`now()` })
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, ids)));
}

/** Records one event, whatever the number of answers. */
export async function recordVerification(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  event: Omit<AuditEvent, "target">,
  changed: Answer[],
): Promise<void> {
  const [first, ...others] = changed;
  if (!first) return;
  const target: AuditEvent["target"] =
    others.length === 0
      ? { type: "source", id: first.id, name: first.title }
      : { type: "sources", id: companyId, name: counted(changed.length, "source") };
  await recordAudit(tx, companyId, actor, { ...event, target });
}

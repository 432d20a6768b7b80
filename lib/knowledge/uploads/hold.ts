import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, exists, gt, inArray, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { lockCompany } from "../../db/lock-company.ts";
import { heldUploads } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound, validationError } from "../../errors.ts";
import { repeatStep } from "../../jobs/repeat-step.ts";
import type { Turn } from "../../jobs/turn.ts";
import { objectStore } from "../../storage/index.ts";
import type { SpooledFile } from "../../storage/spool.ts";
import { originalKey } from "../original-key.ts";
import { lockOriginals } from "../original-lock.ts";
import { deleteUnusedOriginals } from "../unused-originals.ts";

const HELD_MINUTES = 60;
/** An expired upload is kept for this long, because it may be about to be attached. */
const EXPIRED_MINUTES = 10;
/** Prevents one company from filling the shared disk with files that it never attaches. */
export const UPLOADS_PER_COMPANY_MAX = 500;
/** Few, because the database ends a transaction that waits too long while a bucket deletes the files. */
const DELETED_PER_STEP = 10;

const isUnexpired = gt(heldUploads.expiresAt, sql`now()`);

export type HeldUpload = typeof heldUploads.$inferSelect;

interface NewUpload {
  file: SpooledFile;
  fileName: string;
  purpose: string;
}

/**
 * Stores a file that is to be attached as a source within an hour.
 * @throws {AppError} ValidationError when the company has too many such files; InsufficientStorage
 */
export async function holdUpload(
  scope: TenantScope,
  actor: Actor,
  { file, fileName, purpose }: NewUpload,
): Promise<HeldUpload> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const { sha256, byteLength: bytes } = file;
  const storageKey = originalKey(companyId, sha256);
  const held = await scope.transaction(async (tx) => {
    // a purge of the same original ends first
    await lockOriginals(tx, [storageKey]);
    await refuseTooMany(tx, companyId);
    const apiKeyId = actor.type === "api_key" ? actor.id : null;
    const expiresAt = sql`now() + make_interval(mins => ${HELD_MINUTES})`;
    const id = timeOrderedUuid();
    const row = { companyId, id, apiKeyId, fileName, purpose, storageKey, bytes, sha256, expiresAt };
    const [inserted] = await tx.insert(heldUploads).values(row).returning();
    return inserted;
  });
  if (!held) throw new Error("the upload was not stored");
  try {
    await objectStore().put(storageKey, file);
  } catch (error) {
    await scope.transaction((tx) => removeUpload(tx, companyId, held.id));
    throw error;
  }
  return held;
}

/** A UUID of version 7. Uploads are listed by their ids, so a page can start after an upload that was deleted. */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = randomUUID().slice("xxxxxxxx-xxxx-4".length);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`;
}

async function refuseTooMany(tx: Transaction, companyId: CompanyId): Promise<void> {
  await lockCompany(tx, companyId);
  const held = await tx.$count(
    heldUploads,
    and(eq(heldUploads.companyId, companyId), isNull(heldUploads.attachedTo), isUnexpired),
  );
  if (held < UPLOADS_PER_COMPANY_MAX) return;
  const message = `The company has ${UPLOADS_PER_COMPANY_MAX} files that are not attached. Attach or delete some first.`;
  throw validationError([{ path: "file", message }]);
}

/** An upload of the actor that is neither attached nor expired. @throws {AppError} NotFound */
export async function heldUpload(scope: TenantScope, actor: Actor, id: string): Promise<HeldUpload> {
  requireAdmin(scope, actor, "ingest");
  const [held] = await scope.transaction((tx) =>
    tx
      .select()
      .from(heldUploads)
      .where(and(heldBy(scope.companyId, actor), eq(heldUploads.id, id), isNull(heldUploads.attachedTo))),
  );
  if (!held) throw notFound("File");
  return held;
}

/** An upload of the actor, even when it is attached, locked for this transaction. @throws {AppError} NotFound */
export async function lockUpload(tx: Transaction, companyId: CompanyId, actor: Actor, id: string): Promise<HeldUpload> {
  const [held] = await tx
    .select()
    .from(heldUploads)
    .where(and(heldBy(companyId, actor), eq(heldUploads.id, id)))
    .for("update");
  if (!held) throw notFound("File");
  return held;
}

/**
 * The row id of the source that an upload of the actor was attached to, for an hour and until a later upload replaces it;
 * otherwise the given id.
 */
export async function attachedSourceId(scope: TenantScope, actor: Actor, id: string): Promise<string> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const later = alias(heldUploads, "later");
  const [held] = await scope.transaction((tx) => {
    const isReplaced = exists(
      tx
        .select({ id: later.id })
        .from(later)
        .where(
          and(
            eq(later.companyId, companyId),
            eq(later.attachedTo, heldUploads.attachedTo),
            gt(later.createdAt, heldUploads.createdAt),
          ),
        ),
    );
    return tx
      .select({ attachedTo: heldUploads.attachedTo })
      .from(heldUploads)
      .where(and(heldBy(companyId, actor), eq(heldUploads.id, id), not(isReplaced)));
  });
  return held?.attachedTo ?? id;
}

/** Remembers the source that was made from an upload. */
export async function markAttached(
  tx: Transaction,
  { companyId, id, attachedTo }: { companyId: CompanyId; id: string; attachedTo: string },
): Promise<void> {
  await tx
    .update(heldUploads)
    .set({ attachedTo })
    .where(and(eq(heldUploads.companyId, companyId), eq(heldUploads.id, id)));
}

interface UploadPageQuery {
  limit: number;
  order: "asc" | "desc";
  /** The page starts after this upload, even if it has been deleted. */
  after?: string | undefined;
}

/** A page of the uploads of the actor that are neither attached nor expired, by the time they were sent. */
export async function pageUploads(
  scope: TenantScope,
  actor: Actor,
  { limit, order, after }: UploadPageQuery,
): Promise<{ rows: HeldUpload[]; hasMore: boolean }> {
  requireAdmin(scope, actor, "ingest");
  const towards = order === "asc" ? asc : desc;
  const beyond = order === "asc" ? gt : lt;
  const { id } = heldUploads;
  const rows = await scope.transaction((tx) =>
    tx
      .select()
      .from(heldUploads)
      .where(and(heldBy(scope.companyId, actor), isNull(heldUploads.attachedTo), after ? beyond(id, after) : undefined))
      .orderBy(towards(id))
      .limit(limit + 1),
  );
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Deletes an upload of the actor with its file. @throws {AppError} NotFound */
export async function discardUpload(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  requireAdmin(scope, actor, "ingest");
  await scope.transaction(async (tx) => {
    const { storageKey, attachedTo } = await lockUpload(tx, scope.companyId, actor, id);
    if (attachedTo !== null) throw notFound("File");
    await removeUpload(tx, scope.companyId, id);
    await deleteUnusedOriginals(tx, scope.companyId, [storageKey]);
  });
}

/** Forgets an upload. Its file stays as long as another upload or a source uses it. */
async function removeUpload(tx: Transaction, companyId: CompanyId, id: string): Promise<void> {
  await tx.delete(heldUploads).where(and(eq(heldUploads.companyId, companyId), eq(heldUploads.id, id)));
}

/** Deletes the expired uploads of a company with their files. @returns false when the turn ended first */
export async function deleteExpiredUploads(scope: TenantScope, turn: Turn): Promise<boolean> {
  return repeatStep(scope, turn, (tx) => deleteSomeExpired(tx, scope.companyId));
}

/** @returns whether there may be more */
async function deleteSomeExpired(tx: Transaction, companyId: CompanyId): Promise<boolean> {
  const own = eq(heldUploads.companyId, companyId);
  const expired = sql`${heldUploads.expiresAt} < now() - make_interval(mins => ${EXPIRED_MINUTES})`;
  const some = tx.select({ id: heldUploads.id }).from(heldUploads).where(and(own, expired)).limit(DELETED_PER_STEP);
  const rows = await tx
    .delete(heldUploads)
    .where(and(own, inArray(heldUploads.id, some)))
    .returning({ storageKey: heldUploads.storageKey });
  const storageKeys = [...new Set(rows.map(({ storageKey }) => storageKey))];
  if (storageKeys.length > 0) await deleteUnusedOriginals(tx, companyId, storageKeys);
  return rows.length === DELETED_PER_STEP;
}

function heldBy(companyId: CompanyId, actor: Actor): SQL | undefined {
  return and(
    eq(heldUploads.companyId, companyId),
    actor.type === "api_key" ? eq(heldUploads.apiKeyId, actor.id) : undefined,
    isUnexpired,
  );
}

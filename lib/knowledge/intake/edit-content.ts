import { and, desc, eq, lt } from "drizzle-orm";
import type { z } from "zod";
import { requireAdmin, requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { SourceBody } from "../../db/stored-json.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { AppError, notFound } from "../../errors.ts";
import { objectStore } from "../../storage/index.ts";
import { lockSources } from "../queries.ts";
import { type Accepted, type AcceptOptions, lockAndAccept } from "./accept.ts";
import type { contentInput } from "./edit-input.ts";
import { givenLabels } from "./given-labels.ts";

type Version = Awaited<ReturnType<typeof versionOf>>;

/**
 * The newest version of a source, to edit it.
 * @throws {AppError} NotFound
 */
export async function getContent(scope: TenantScope, actor: Actor, id: string) {
  requireMembership(scope, actor);
  return scope.transaction((tx) => versionOf(tx, scope.companyId, id));
}

/**
 * A version of a source, and the version to compare it with: the newest one, or for the newest its predecessor.
 * @throws {AppError} NotFound
 */
export async function getVersion(scope: TenantScope, actor: Actor, id: string, number: number) {
  requireMembership(scope, actor);
  return scope.snapshot(async (tx) => {
    const version = await versionOf(tx, scope.companyId, id, number);
    const newest = await versionOf(tx, scope.companyId, id);
    const other = newest.id === version.id ? await versionBefore(tx, scope.companyId, id, number) : newest;
    return { version, other, isNewest: newest.id === version.id };
  });
}

/**
 * Gives a source new content, as a new version with the labels that it has.
 * @throws {AppError} NotFound; PreconditionFailed when the source has a newer version than the edited one;
 * Conflict for a source from a file
 */
export async function editContent(
  scope: TenantScope,
  actor: Actor,
  { id, versionId, content }: z.output<typeof contentInput>,
  options?: Pick<AcceptOptions, "also">,
): Promise<Accepted> {
  requireAdmin(scope, actor);
  const before = await getContent(scope, actor, id);
  if (before.body.kind !== content.kind)
    throw new AppError("Conflict", "The type of the source has changed. Reload the page.");
  const { title, ...body } = content.kind === "text" ? content : { ...content, title: content.question };
  return acceptBody(scope, actor, { ...before, title, body }, { ...options, ifMatch: versionId });
}

/**
 * Makes the content of a replaced version the newest version again. The labels stay.
 * @throws {AppError} NotFound; Conflict when the content is no longer stored
 */
export async function restoreVersion(scope: TenantScope, actor: Actor, id: string, number: number): Promise<Accepted> {
  requireAdmin(scope, actor);
  const version = await scope.transaction((tx) => versionOf(tx, scope.companyId, id, number));
  const { body, emptiedAt } = version;
  if (emptiedAt !== null) throw contentGone();
  const requireOriginal = async () => {
    if (body.kind === "file" && !(await objectStore().has(body.storageKey))) throw contentGone();
  };
  // an object store that does not respond must not hold the locks of the transaction
  await requireOriginal();
  // the transaction holds the lock of the original, so a purge either has deleted it or will see the new version
  return acceptBody(scope, actor, version, { also: requireOriginal });
}

function contentGone(): AppError {
  return new AppError("Conflict", "The content of this version is no longer stored. Choose a newer version.");
}

async function acceptBody(
  scope: TenantScope,
  actor: Actor,
  { sourceId, sourceType, title, body, rowId }: Pick<Version, "sourceId" | "sourceType" | "title" | "body" | "rowId">,
  options: Pick<AcceptOptions, "also" | "ifMatch"> = {},
): Promise<Accepted> {
  const { companyId } = scope;
  return scope.changeContent(async (tx) => {
    const lock = async () => {
      const rows = await lockSources(tx, { companyId, ids: [rowId] });
      if (!rows.has(sourceId)) throw notFound("Source");
      return rows;
    };
    // the title of a file is read from the file
    const source = { ...givenLabels({}), sourceId, sourceType, title: body.kind === "file" ? null : title, body };
    const [accepted] = await lockAndAccept(tx, { companyId, actor, lock, submitted: [source] }, options);
    if (!accepted) throw notFound("Source");
    return accepted;
  });
}

const { number, title, sourceType, body, emptiedAt, createdAt, authorType, authorName, state } = sourceVersions;
const versionColumns = {
  ...{ id: sourceVersions.id, rowId: sources.id, sourceId: sources.sourceId, verifiedAt: sources.verifiedAt },
  ...{ number, title, sourceType, body, emptiedAt, createdAt, authorType, authorName, state },
  // no version of a deleted source can be restored
  deletedAt: sources.deletedAt,
};

/** @param wanted a version's number; the newest version without one */
async function versionOf(tx: Transaction, companyId: CompanyId, id: string, wanted?: number) {
  const [version] = await tx
    .select(versionColumns)
    .from(sources)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.sourceId, sources.id)))
    .where(
      and(
        eq(sources.companyId, companyId),
        eq(sources.id, id),
        wanted === undefined ? eq(sourceVersions.id, sources.latestVersionId) : eq(number, wanted),
      ),
    );
  if (!version) throw notFound(wanted === undefined ? "Source" : "Version");
  return version;
}

async function versionBefore(
  tx: Transaction,
  companyId: CompanyId,
  id: string,
  after: number,
): Promise<Version | null> {
  const [version] = await tx
    .select(versionColumns)
    .from(sources)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.sourceId, sources.id)))
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id), lt(number, after)))
    .orderBy(desc(number))
    .limit(1);
  return version ?? null;
}

/** The content of a version as one text, to compare it; null for a file. */
export function comparableText({ title, body }: { title: string; body: SourceBody }): string | null {
  if (body.kind === "file") return null;
  if (body.kind === "text") return `${title}\n\n${body.content}`;
  return [body.question, ...body.alternatives, "", body.answer].join("\n");
}

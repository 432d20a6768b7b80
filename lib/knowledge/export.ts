import { randomUUID } from "node:crypto";
import { and, asc, eq, getTableColumns, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { BYTES_PER_TRANSACTION, batchesBySize } from "../db/batches.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { labelChanges } from "../label-changes.ts";
import { servedAudience } from "../search-index/served-audience.ts";
import { ObjectStoreError, objectStore } from "../storage/index.ts";
import { servedText } from "./browse/served-text.ts";
import { toServedOrLatest } from "./browse/source-rows.ts";
import { type FileGroup, groupAttachments } from "./group-attachments.ts";
import type { Accepted, AcceptOptions } from "./intake/accept.ts";
import { addFiles, addSources, type GivenFile } from "./intake/add.ts";
import { refuseWidening } from "./intake/refuse-widening.ts";
import { isOwnSource } from "./live-email.ts";
import { EXPORT_HEADER, type ExportedText, readExport, UNREADABLE } from "./read-export.ts";
import {
  type ImportedVerification,
  importVerifications,
  type KeptVerifications,
} from "./verify/import-verifications.ts";

const ROWS_AT_ONCE = 50;

type Version = typeof sourceVersions.$inferSelect;
type ExportedRow = Awaited<ReturnType<typeof readVersions>>[number];

interface ImportOptions extends AcceptOptions {
  /** Whether answers that were verified where the export was made are verified here too. */
  keepVerifications?: boolean | undefined;
}

interface Imported {
  accepted: Accepted[];
  /** Answers that were verified in the export: those that are verified here now, and the others. */
  verifications: { kept: number; lost: number };
}

/** A line of an export; only the header has no chunks. */
interface ExportLine {
  line: string;
  chunks: number | null;
  /** The source whose original is missing, so that the line has only its text. */
  textOnly?: string;
}

/**
 * The lines of an export: the served version of each source, or the newest version when none is served. The attachments of
 * an email are read from it again, except those with labels of their own.
 */
export function exportSources(scope: TenantScope, actor: Actor): AsyncGenerator<ExportLine> {
  requireAdmin(scope, actor);
  return exportLines(scope);
}

async function* exportLines(scope: TenantScope): AsyncGenerator<ExportLine> {
  yield { line: JSON.stringify(EXPORT_HEADER), chunks: null };
  for (let after = ""; ; ) {
    const next = await nextSources(scope, after);
    const last = next.at(-1);
    if (!last) return;
    for (const batch of batchesBySize(next)) {
      const ids = batch.map(({ id }) => id);
      const attachments = await readVersions(scope, inArray(sources.attachedTo, ids));
      for (const row of await readVersions(scope, inArray(sources.id, ids))) {
        const line = await exportLine(scope, row);
        yield line;
        const own = line.textOnly === undefined ? attachments.filter((each) => hasOwnLabels(each, row)) : [];
        for (const attachment of own) yield await exportLine(scope, attachment, row.name);
      }
    }
    after = last.name;
  }
}

/** Whether a source is an attachment of this email with other labels, which reading the email again would lose. */
function hasOwnLabels({ attachedTo, version }: ExportedRow, email: ExportedRow): boolean {
  if (attachedTo !== email.id) return false;
  return labelChanges(email.version, { ...version, metadata: version.givenMetadata ?? version.metadata }).length > 0;
}

async function exportLine(scope: TenantScope, row: ExportedRow, attachedTo?: string): Promise<ExportLine> {
  const { name, version, verifiedBy, verifiedUntil } = row;
  const verification = verifiedBy === null ? undefined : { by: verifiedBy, until: verifiedUntil };
  const source = { ...(await exported(scope, name, version)), attachedTo, verification };
  const textOnly = version.body.kind === "file" && "content" in source ? name : undefined;
  return { line: JSON.stringify(source), chunks: version.chunkCount, textOnly };
}

/**
 * Imports an export through normal ingestion, so unchanged sources are skipped. The whole file is checked before anything
 * is imported.
 * @param open starts reading from the beginning on each call
 * @throws {AppError} ValidationError that names the line; Conflict when sources would gain audiences that `widenTo` does
 * not include
 */
export async function importSources(
  scope: TenantScope,
  actor: Actor,
  open: () => AsyncIterable<Uint8Array>,
  { keepVerifications = false, ...options }: ImportOptions = {},
): Promise<Imported> {
  requireAdmin(scope, actor);
  await checkExport(scope, actor, open(), options);
  const accepted: Accepted[] = [];
  const verifications = { kept: 0, lost: 0 };
  const keeping: KeptVerifications = { eventId: randomUUID(), answers: [] };
  let batch: ExportedText[] = [];
  let bytes = 0;
  const flush = async () => {
    const sources = batch.map(({ source }) => source);
    const added = await addSources(scope, actor, sources, options);
    accepted.push(...added);
    const given = verificationsOf(added, batch);
    const kept = await importVerifications(scope, actor, given, keepVerifications ? keeping : null);
    verifications.kept += kept;
    const unreadable = batch.filter(({ verification }) => verification === UNREADABLE).length;
    verifications.lost += unreadable + given.length - kept;
    [batch, bytes] = [[], 0];
  };
  for await (const exported of groupAttachments(readExport(open()))) {
    if (exported.kind === "files") {
      accepted.push(...(await addFiles(scope, actor, await attach(scope, exported), options)));
      continue;
    }
    if (batch.length === ROWS_AT_ONCE || bytes + exported.bytes > BYTES_PER_TRANSACTION) await flush();
    batch.push(exported);
    bytes += exported.bytes;
  }
  await flush();
  return { accepted, verifications };
}

/**
 * Attaches the files after an email to it. They are added together, so that no worker reads the email first and gives its
 * labels to them.
 */
async function attach(scope: TenantScope, { email, attachments }: FileGroup): Promise<GivenFile[]> {
  if (attachments.length === 0) return [email];
  const { id, companyId, sourceId } = sources;
  const named = and(eq(companyId, scope.companyId), eq(sourceId, email.sourceId));
  const [known] = await scope.transaction((tx) => tx.select({ id }).from(sources).where(named));
  const rowId = known?.id ?? randomUUID();
  return [{ ...email, rowId }, ...attachments.map((file) => ({ ...file, attachedTo: rowId }))];
}

/** The verifications of an export, with the accepted versions that they belong to. */
function verificationsOf(accepted: Accepted[], exported: ExportedText[]): ImportedVerification[] {
  const bySource = new Map(exported.map(({ source, verification }) => [source.sourceId, verification]));
  return accepted.flatMap(({ id, sourceId, versionId }) => {
    const verification = bySource.get(sourceId);
    return verification && verification !== UNREADABLE ? { id, versionId, ...verification } : [];
  });
}

/** Checks the whole export. @throws {AppError} when a line is invalid or sources would gain audiences */
async function checkExport(
  scope: TenantScope,
  actor: Actor,
  bytes: AsyncIterable<Uint8Array>,
  { widenTo }: AcceptOptions,
) {
  const given: { sourceId: string; audience: string[] }[] = [];
  for await (const exported of readExport(bytes)) {
    const { sourceId, audience } = exported.kind === "file" ? exported.file : exported.source;
    if (sourceId && audience) given.push({ sourceId, audience });
  }
  await refuseWidening(scope, actor, given, widenTo);
}

/** The sources that come next, with the stored size of their texts. */
async function nextSources(scope: TenantScope, after: string) {
  const bytes = sql<number>`pg_column_size(${sourceVersions.body})`;
  return scope.transaction((tx) =>
    tx
      .select({ id: sources.id, name: sources.sourceId, bytes })
      .from(sources)
      .innerJoin(sourceVersions, toServedOrLatest)
      .where(and(isExported(scope.companyId), isOwnSource(scope.companyId), gt(sources.sourceId, after)))
      .orderBy(asc(sources.sourceId))
      .limit(ROWS_AT_ONCE),
  );
}

async function readVersions(scope: TenantScope, which: SQL) {
  const { id, attachedTo, verifiedBy, verifiedUntil } = sources;
  return scope.transaction((tx) =>
    tx
      .select({
        id,
        attachedTo,
        name: sources.sourceId,
        verifiedBy,
        verifiedUntil,
        version: { ...getTableColumns(sourceVersions), audience: servedAudience(scope.companyId) },
      })
      .from(sources)
      .innerJoin(sourceVersions, toServedOrLatest)
      .where(and(isExported(scope.companyId), which))
      .orderBy(asc(sources.sourceId)),
  );
}

function isExported(companyId: CompanyId): SQL | undefined {
  return and(eq(sources.companyId, companyId), isNull(sources.deletedAt), ne(sourceVersions.state, "failed"));
}

async function exported(scope: TenantScope, sourceId: string, version: Version) {
  const { sourceType, title, audience, contentCategory, path, givenMetadata, body } = version;
  const metadata = givenMetadata ?? version.metadata;
  const labels = { sourceId, audience, contentCategory, path, metadata };
  if (body.kind === "text") return { sourceType, title: title || sourceId, content: body.content, ...labels };
  if (body.kind === "file") {
    const bytes = await objectStore().get(body.storageKey).catch(nullIfLost);
    if (bytes !== null) return { sourceType, base64: Buffer.from(bytes).toString("base64"), ...labels };
    const content = await servedText(scope, version.id);
    if (content === "") {
      throw new AppError(
        "NotFound",
        `The original file of ${sourceId} is missing, and so is its text. Add the file again or delete the source, then repeat the export.`,
      );
    }
    return { sourceType, title: title || sourceId, content, ...labels };
  }
  const { question, answer, alternatives } = body;
  return { sourceType, question, answer, alternatives, ...labels };
}

function nullIfLost(error: unknown): null {
  if (error instanceof ObjectStoreError && !error.isUnavailable) return null;
  throw error;
}

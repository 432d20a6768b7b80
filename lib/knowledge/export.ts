import { randomUUID } from "node:crypto";
import { and, asc, eq, getTableColumns, gt, isNull, ne } from "drizzle-orm";
import { type Actor, requireAdmin } from "../audit/record.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { servedAudience } from "../search-index/served-audience.ts";
import { ObjectStoreError, objectStore } from "../storage/index.ts";
import { servedText } from "./browse/served-text.ts";
import { toServedOrLatest } from "./browse/source-rows.ts";
import type { Accepted, AcceptOptions } from "./intake/accept.ts";
import { addFiles, addSources } from "./intake/add.ts";
import { refuseWidening } from "./intake/refuse-widening.ts";
import { EXPORT_HEADER, type ExportedSource, readExport, UNREADABLE } from "./read-export.ts";
import {
  type ImportedVerification,
  importVerifications,
  type KeptVerifications,
} from "./verify/import-verifications.ts";

const ROWS_AT_ONCE = 50;

type Version = typeof sourceVersions.$inferSelect;
type ExportedRow = { name: string; version: Version } & Pick<
  typeof sources.$inferSelect,
  "verifiedBy" | "verifiedUntil"
>;
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

/** The lines of an export: the served version of each source, or the newest version when none is served. */
export function exportSources(scope: TenantScope, actor: Actor): AsyncGenerator<ExportLine> {
  requireAdmin(scope, actor);
  return exportLines(scope);
}

async function* exportLines(scope: TenantScope): AsyncGenerator<ExportLine> {
  yield { line: JSON.stringify(EXPORT_HEADER), chunks: null };
  for (let after = ""; ; ) {
    const versions = await nextVersions(scope, after);
    const last = versions.at(-1);
    if (!last) return;
    for (const { name, version, verifiedBy, verifiedUntil } of versions) {
      const verification = verifiedBy === null ? undefined : { by: verifiedBy, until: verifiedUntil };
      const source = { ...(await exported(scope, name, version)), verification };
      const textOnly = version.body.kind === "file" && "content" in source ? name : undefined;
      yield { line: JSON.stringify(source), chunks: version.chunkCount, textOnly };
    }
    after = last.name;
  }
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
  let batch: Extract<ExportedSource, { kind: "source" }>[] = [];
  const flush = async () => {
    const sources = batch.map(({ source }) => source);
    const added = await addSources(scope, actor, sources, options);
    accepted.push(...added);
    const given = verificationsOf(added, batch);
    const kept = await importVerifications(scope, actor, given, keepVerifications ? keeping : null);
    verifications.kept += kept;
    const unreadable = batch.filter(({ verification }) => verification === UNREADABLE).length;
    verifications.lost += unreadable + given.length - kept;
    batch = [];
  };
  for await (const exported of readExport(open())) {
    if (exported.kind === "file") accepted.push(...(await addFiles(scope, actor, [exported.file], options)));
    else batch.push(exported);
    if (batch.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
  return { accepted, verifications };
}

/** The verifications of an export, with the accepted versions that they belong to. */
function verificationsOf(
  accepted: Accepted[],
  exported: Extract<ExportedSource, { kind: "source" }>[],
): ImportedVerification[] {
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

async function nextVersions(scope: TenantScope, after: string): Promise<ExportedRow[]> {
  const { verifiedBy, verifiedUntil } = sources;
  return scope.transaction((tx) =>
    tx
      .select({
        name: sources.sourceId,
        verifiedBy,
        verifiedUntil,
        version: { ...getTableColumns(sourceVersions), audience: servedAudience(scope.companyId) },
      })
      .from(sources)
      .innerJoin(sourceVersions, toServedOrLatest)
      .where(
        and(
          eq(sources.companyId, scope.companyId),
          isNull(sources.deletedAt),
          // an email's attachments are read from it again
          isNull(sources.attachedTo),
          ne(sourceVersions.state, "failed"),
          gt(sources.sourceId, after),
        ),
      )
      .orderBy(asc(sources.sourceId))
      .limit(ROWS_AT_ONCE),
  );
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
    if (content === "")
      throw new AppError("NotFound", `The original file of ${sourceId} is missing, and so is its text.`);
    return { sourceType, title: title || sourceId, content, ...labels };
  }
  const { question, answer, alternatives } = body;
  return { sourceType, question, answer, alternatives, ...labels };
}

function nullIfLost(error: unknown): null {
  if (error instanceof ObjectStoreError && !error.isUnavailable) return null;
  throw error;
}

import { and, asc, eq, getTableColumns, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { batchesBySize } from "../db/batches.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { labelChanges } from "../label-changes.ts";
import { servedAudience } from "../search-index/served-audience.ts";
import { nullIfLost, objectStore } from "../storage/index.ts";
import { servedText } from "./browse/served-text.ts";
import { toServedOrLatest } from "./browse/source-rows.ts";
import { documentInput } from "./intake/source-input.ts";
import { isOwnSource } from "./live-email.ts";
import { EXPORT_HEADER } from "./read-export.ts";

const ROWS_AT_ONCE = 50;

type Version = typeof sourceVersions.$inferSelect;
type ExportedRow = Awaited<ReturnType<typeof readVersions>>[number];

/** A line of an export; only the header has no chunks. */
interface ExportLine {
  line: string;
  chunks: number | null;
  /** The source whose original is missing, so that the line has only its text. */
  textOnly?: string;
}

/**
 * The lines of an export: the served version of each source, or the newest version when none is served. The attachments of
 * an email are read from it again, except those with labels of their own, and those of an email whose original is missing.
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
        // from a text alone, no attachments are read
        const isText = line.textOnly !== undefined;
        const apart = attachments.filter((each) => each.attachedTo === row.id && (isText || hasOwnLabels(each, row)));
        for (const attachment of apart) yield await exportLine(scope, attachment, isText ? undefined : row.name);
      }
    }
    after = last.name;
  }
}

/** Whether an attachment has other labels than its email, which reading the email again would lose. */
function hasOwnLabels({ version }: ExportedRow, email: ExportedRow): boolean {
  return labelChanges(email.version, { ...version, metadata: version.givenMetadata ?? version.metadata }).length > 0;
}

async function exportLine(scope: TenantScope, row: ExportedRow, attachedTo?: string): Promise<ExportLine> {
  const { name, version, verifiedBy, verifiedUntil } = row;
  const verification = verifiedBy === null ? undefined : { by: verifiedBy, until: verifiedUntil };
  const source = { ...(await exported(scope, name, version)), attachedTo, verification };
  const textOnly = version.body.kind === "file" && "content" in source ? name : undefined;
  return { line: JSON.stringify(source), chunks: version.chunkCount, textOnly };
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
    requireImportable(sourceId, content);
    return { sourceType, title: title || sourceId, content, ...labels };
  }
  const { question, answer, alternatives } = body;
  return { sourceType, question, answer, alternatives, ...labels };
}

/** An import checks a whole file first, so one text that it refuses would keep all others out. */
function requireImportable(sourceId: string, content: string): void {
  const [issue] = documentInput.shape.content.safeParse(content).error?.issues ?? [];
  if (!issue) return;
  throw new AppError(
    "NotFound",
    `The original file of ${sourceId} is missing, and its text ${issue.message}. Add the file again or delete the source, then repeat the export.`,
  );
}

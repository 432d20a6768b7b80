import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { counted } from "../counted.ts";
import { BYTES_PER_TRANSACTION } from "../db/batches.ts";
import { sources } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { type FileGroup, groupAttachments } from "./group-attachments.ts";
import type { Accepted, AcceptOptions } from "./intake/accept.ts";
import { addFiles, addSources, type GivenFile } from "./intake/add.ts";
import { refuseWidening } from "./intake/refuse-widening.ts";
import { type ExportedText, readExport, UNREADABLE } from "./read-export.ts";
import {
  type ImportedVerification,
  importVerifications,
  type KeptVerifications,
} from "./verify/import-verifications.ts";

const ROWS_AT_ONCE = 50;

interface ImportOptions extends AcceptOptions {
  /** Whether answers that were verified where the export was made are verified here too. */
  keepVerifications?: boolean | undefined;
}

interface Imported {
  accepted: Accepted[];
  /** Answers that were verified in the export: those that are verified here now, and the others. */
  verifications: { kept: number; lost: number };
}

/**
 * Imports an export through normal ingestion, so unchanged sources are skipped. The whole file is checked before anything
 * is imported.
 * @param open starts reading from the beginning on each call
 * @throws {AppError} ValidationError that names the line; Conflict when sources would gain audiences that `widenTo` does
 * not include. An error after the check says how many sources were imported
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
    if (batch.length === 0) return;
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
  try {
    for await (const exported of groupAttachments(readExport(open()))) {
      if (exported.kind === "files") {
        // an attachment that is only text must be there before a worker reads its email
        await flush();
        accepted.push(...(await addFiles(scope, actor, await attach(scope, exported), options)));
        continue;
      }
      if (batch.length === ROWS_AT_ONCE || bytes + exported.bytes > BYTES_PER_TRANSACTION) await flush();
      batch.push(exported);
      bytes += exported.bytes;
    }
    await flush();
  } catch (error) {
    throw accepted.length > 0 ? stoppedAfter(accepted.length, error) : error;
  }
  return { accepted, verifications };
}

/** An error after some sources were imported. Only the check of a repeated import can ask to confirm their audiences. */
function stoppedAfter(imported: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const message = `The import stopped after ${counted(imported, "source")}: ${error.message} Repeat the import.`;
  return new AppError(error.error, message, { headers: error.headers, cause: error });
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

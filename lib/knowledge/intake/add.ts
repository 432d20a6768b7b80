import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { log } from "../../log.ts";
import { sha256 } from "../../sha256.ts";
import { type Content, objectStore } from "../../storage/index.ts";
import { type RecordedPut, recordPut } from "../../storage/recorded-puts.ts";
import type { SpooledFile } from "../../storage/spool.ts";
import { originalKey } from "../original-key.ts";
import { deleteUnusedOriginals } from "../unused-originals.ts";
import { type Accepted, type AcceptOptions, acceptSources } from "./accept.ts";
import { givenLabels, type Labels } from "./given-labels.ts";
import type { SubmittedSource } from "./plan-acceptance.ts";
import type { SourceInput } from "./read-bulk.ts";

/** An uploaded file; `sourceId` is its path below the folder, or its name. `fileName` is its name if it is another one. */
export type GivenFile = Labels &
  Pick<SubmittedSource, "sourceId" | "rowId" | "attachedTo"> & { fileName?: string | undefined } & (
    | { bytes: Uint8Array }
    | { spooled: SpooledFile }
  );

interface Original {
  content: Content;
  byteLength: number;
  sha256: string;
}

interface StoredOriginal {
  content: Content;
  put: RecordedPut;
}

/**
 * Stores the originals and accepts the files. A worker reads them later.
 * @throws {AppError} InsufficientStorage when the disk is full; nothing is stored then
 */
export async function addFiles(
  scope: TenantScope,
  actor: Actor,
  files: GivenFile[],
  options?: AcceptOptions,
): Promise<Accepted[]> {
  requireAdmin(scope, actor, "ingest");
  const submitted: SubmittedSource[] = [];
  const originals = new Map<string, StoredOriginal>();
  try {
    for (const file of files) {
      const { content, byteLength: bytes, sha256 } = readOriginal(file);
      const storageKey = originalKey(scope.companyId, sha256);
      if (!originals.has(storageKey)) originals.set(storageKey, { content, put: await recordPut(storageKey) });
      await objectStore().put(storageKey, content);
      submitted.push({
        ...givenLabels(file),
        sourceId: file.sourceId,
        ...(file.rowId !== undefined && { rowId: file.rowId }),
        ...(file.attachedTo !== undefined && { attachedTo: file.attachedTo }),
        sourceType: "document",
        title: null,
        body: { kind: "file", storageKey, fileName: basename(file.fileName ?? file.sourceId), bytes, sha256 },
      });
    }
    const accepted = await acceptSources(scope, actor, submitted, options);
    for (const [storageKey, { content }] of originals) await ensureStored(storageKey, content);
    // the email of attachments may be deleted or have a newer version by now
    if (accepted.length < files.length) await deleteUnused(scope, originals);
    else await forgetPuts(originals);
    return accepted;
  } catch (error) {
    await deleteUnused(scope, originals);
    throw error;
  }
}

async function deleteUnused(scope: TenantScope, originals: Map<string, StoredOriginal>): Promise<void> {
  try {
    await scope.transaction((tx) => deleteUnusedOriginals(tx, scope.companyId, [...originals.keys()]));
    await forgetPuts(originals);
  } catch (left) {
    log().warn({ err: left }, "originals that no source uses could not be deleted");
  }
}

async function forgetPuts(originals: Map<string, StoredOriginal>): Promise<void> {
  for (const { put } of originals.values()) await put.forget();
}

function readOriginal(file: GivenFile): Original {
  if ("spooled" in file) return { content: file.spooled, ...file.spooled };
  return { content: file.bytes, byteLength: file.bytes.byteLength, sha256: sha256(file.bytes) };
}

/** A purge may have deleted the original before this version was committed. From now on, the purge sees this version. */
async function ensureStored(storageKey: string, content: Content): Promise<void> {
  if (!(await objectStore().has(storageKey))) await objectStore().put(storageKey, content);
}

/** Accepts documents as text, and questions with their answers. */
export async function addSources(
  scope: TenantScope,
  actor: Actor,
  inputs: SourceInput[],
  options?: AcceptOptions,
): Promise<Accepted[]> {
  return acceptSources(scope, actor, inputs.map(toSubmittedSource), options);
}

/** Converts the input to the form that `acceptSources` takes. A source without an identifier gets a random one. */
export function toSubmittedSource(input: SourceInput): SubmittedSource {
  const common = { ...givenLabels(input), sourceId: input.sourceId ?? randomUUID() };
  if (input.sourceType === "document") {
    return { ...common, sourceType: "document", title: input.title, body: { kind: "text", content: input.content } };
  }
  const { question, answer, alternatives = [] } = input;
  return { ...common, sourceType: "qa", title: question, body: { kind: "qa", question, answer, alternatives } };
}

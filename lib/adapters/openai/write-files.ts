import type { z } from "zod";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { AppError, parseInput } from "../../errors.ts";
import type { Upload } from "../../http/receive-file.ts";
import { listedSource } from "../../knowledge/browse/page-sources.ts";
import type { ListedSource } from "../../knowledge/browse/read-listed.ts";
import { relabelSource } from "../../knowledge/intake/relabel.ts";
import { deleteSource } from "../../knowledge/service.ts";
import { attachUpload } from "../../knowledge/uploads/attach.ts";
import { attachedSourceId, discardUpload, heldUpload, holdUpload } from "../../knowledge/uploads/hold.ts";
import { changedLabels, labelsOf, withoutResultFields } from "./attributes.ts";
import { toAttachedFile, toHeldFile } from "./map.ts";
import { type attachInput, type attributesUpdate, type uploadedFile, uploadParts } from "./schema.ts";

/** The key's company, and the key. */
interface Caller {
  scope: TenantScope;
  actor: Actor;
}

type File = z.input<typeof uploadedFile>;

/** Holds the file of a form. @throws {AppError} ValidationError; as `holdUpload` */
export async function uploadFile({ scope, actor }: Caller, upload: Upload): Promise<File> {
  const given = { file: upload.fileName, purpose: upload.texts.get("purpose") };
  const { file: fileName, purpose } = parseInput(uploadParts, given);
  return toHeldFile(await holdUpload(scope, actor, { file: upload.file, fileName, purpose }));
}

/** A file that is held, or a source by its id or that of its upload. @throws {AppError} NotFound */
export async function readFile({ scope, actor }: Caller, id: string): Promise<File> {
  const held = await unlessMissing(heldUpload(scope, actor, id));
  return held ? toHeldFile(held) : toAttachedFile(await readSource({ scope, actor }, id));
}

/** Deletes a file that is held, or a source by its id or that of its upload. @throws {AppError} NotFound */
export async function deleteFile({ scope, actor }: Caller, id: string): Promise<void> {
  const held = await unlessMissing(heldUpload(scope, actor, id));
  if (held) await discardUpload(scope, actor, id);
  else await detachFile({ scope, actor }, id);
}

/** A source by its id or that of its upload. @throws {AppError} NotFound */
export async function readSource({ scope, actor }: Caller, id: string): Promise<ListedSource> {
  return listedSource(scope, actor, await attachedSourceId(scope, actor, id));
}

/** Deletes a source by its id or that of its upload. @throws {AppError} NotFound */
export async function detachFile({ scope, actor }: Caller, id: string): Promise<void> {
  await deleteSource(scope, actor, await attachedSourceId(scope, actor, id));
}

/**
 * Makes a source from a file that is held. If it is a source already, for example because a client repeats a request whose
 * response was lost, only its attributes change.
 * @throws {AppError} NotFound; as `attachUpload`
 */
export async function attachFile(
  { scope, actor }: Caller,
  { file_id: id, attributes }: z.output<typeof attachInput>,
): Promise<ListedSource> {
  const labels = attributes ? labelsOf(withoutResultFields(attributes)) : {};
  const attached = await unlessMissing(attachUpload(scope, actor, id, labels));
  if (attached?.isNew) return listedSource(scope, actor, attached.id);
  return updateFile({ scope, actor }, { id: attached?.id ?? id, attributes: attributes ?? null });
}

/**
 * Changes the attributes of a source, given by its id or that of its upload; null leaves them unchanged.
 * @throws {AppError} NotFound; Forbidden; ValidationError
 */
export async function updateFile(
  { scope, actor }: Caller,
  { id, attributes }: z.output<typeof attributesUpdate> & { id: string },
): Promise<ListedSource> {
  const before = await readSource({ scope, actor }, id);
  if (!attributes) return before;
  await relabelSource(scope, actor, before.id, changedLabels(attributes, before, env().publicUrl));
  return listedSource(scope, actor, before.id);
}

/** @returns null when the work throws NotFound */
async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.error === "NotFound") return null;
    throw error;
  }
}

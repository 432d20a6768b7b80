import { basename } from "node:path";
import { type Actor, requireAdmin } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { GivenLabels } from "../../label-changes.ts";
import { type Accepted, acceptSources } from "../intake/accept.ts";
import { givenLabels } from "../intake/add.ts";
import { heldUpload, removeUpload } from "./hold.ts";

/** The labels of the source, and its identifier if it is not the name of the file. */
type Attached = { [Label in keyof GivenLabels]?: GivenLabels[Label] | undefined } & { sourceId?: string | undefined };

/**
 * Makes a source from a held upload. A new source gets the upload's id; a known one with the same identifier is replaced
 * and keeps its own.
 * @throws {AppError} NotFound when the actor holds no such upload; Forbidden when a key's policy does not allow a label
 */
export async function attachUpload(
  scope: TenantScope,
  actor: Actor,
  id: string,
  { sourceId, ...labels }: Attached,
): Promise<Accepted> {
  requireAdmin(scope, actor, "ingest");
  const { fileName, storageKey, bytes, sha256 } = await heldUpload(scope, actor, id);
  const submitted = {
    ...givenLabels(labels),
    sourceId: sourceId ?? fileName,
    rowId: id,
    sourceType: "document" as const,
    title: null,
    body: { kind: "file" as const, storageKey, fileName: basename(fileName), bytes, sha256 },
  };
  const [accepted] = await acceptSources(scope, actor, [submitted], { widenTo: "any" });
  if (!accepted) throw new Error("the source was not accepted");
  await scope.transaction((tx) => removeUpload(tx, scope.companyId, id));
  return accepted;
}

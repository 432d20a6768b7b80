import { basename } from "node:path";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { GivenLabels } from "../../label-changes.ts";
import { lockAndAccept } from "../intake/accept.ts";
import { givenLabels } from "../intake/given-labels.ts";
import { upsertSources } from "../queries.ts";
import { lockUpload, markAttached } from "./hold.ts";

/** The labels of the source, and its identifier if it is not the name of the file. */
type Attached = { [Label in keyof GivenLabels]?: GivenLabels[Label] | undefined } & { sourceId?: string | undefined };

/**
 * Makes a source from a held upload. A new source gets the upload's id; an existing one with the same identifier is
 * replaced and keeps its own. An upload that is attached already, for example by a request whose response was lost,
 * changes nothing.
 * @returns the id of the source's row, and whether this call attached the upload
 * @throws {AppError} NotFound when the actor holds no such upload; Forbidden when a key's policy does not allow a label
 */
export async function attachUpload(
  { companyId, changeContent }: TenantScope,
  actor: Actor,
  id: string,
  { sourceId, ...labels }: Attached,
): Promise<{ id: string; isNew: boolean }> {
  requireAdmin({ companyId }, actor, "ingest");
  return changeContent(async (tx) => {
    const { fileName, storageKey, bytes, sha256, attachedTo } = await lockUpload(tx, companyId, actor, id);
    if (attachedTo) return { id: attachedTo, isNew: false };
    const submitted = {
      ...givenLabels(labels),
      sourceId: sourceId ?? fileName,
      rowId: id,
      sourceType: "document" as const,
      title: null,
      body: { kind: "file" as const, storageKey, fileName: basename(fileName), bytes, sha256 },
    };
    const lock = () => upsertSources(tx, { companyId, named: [submitted] });
    const given = { companyId, actor, lock, submitted: [submitted] };
    const [accepted] = await lockAndAccept(tx, given, { widenTo: "any" });
    if (!accepted) throw new Error("the source was not accepted");
    await markAttached(tx, { companyId, id, attachedTo: accepted.id });
    return { id: accepted.id, isNew: true };
  });
}

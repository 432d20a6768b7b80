import { and, eq, isNull, notInArray } from "drizzle-orm";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { sources, type sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { addFiles } from "../intake/add.ts";
import type { Attachment, ReadMetadata } from "../parse/document.ts";
import { deleteSources } from "../service.ts";
import { SOURCE_ID_MAX } from "../values.ts";

type Version = typeof sourceVersions.$inferSelect;

interface Read {
  metadata: ReadMetadata;
  attachments: Attachment[];
}

/**
 * Makes a source of each attachment of an email, named after the email and the file, with the labels of the email. Those
 * that the email no longer has are deleted. Attachments of attachments are left out.
 */
export async function storeAttachments(
  scope: TenantScope,
  version: Version,
  { metadata, attachments }: Read,
): Promise<void> {
  // only a later version can have lost attachments
  if (attachments.length === 0 && (version.number === 1 || version.body.kind !== "file")) return;
  const email = await emailOf(scope, version);
  if (!email) return;
  const files = attachments.map(({ fileName, bytes }) => ({
    sourceId: `${email.sourceId}/${fileName}`,
    bytes,
    attachedTo: version.sourceId,
    audience: version.audience,
    contentCategory: version.contentCategory,
    path: version.path,
    metadata: { ...metadata, ...version.metadata },
  }));
  const named = files.filter(({ sourceId }) => sourceId.length <= SOURCE_ID_MAX);
  await addFiles(scope, SYSTEM_ACTOR, named, { widenTo: "any" });
  const lost = await attachedTo(
    scope,
    version.sourceId,
    named.map(({ sourceId }) => sourceId),
  );
  await deleteSources(scope, SYSTEM_ACTOR, lost);
}

/** The source of an email; null when it is deleted, has a newer version, or is an attachment itself. */
async function emailOf(scope: TenantScope, version: Version): Promise<{ sourceId: string } | null> {
  const [email] = await scope.transaction((tx) =>
    tx
      .select({ sourceId: sources.sourceId })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, scope.companyId),
          eq(sources.id, version.sourceId),
          eq(sources.latestVersionId, version.id),
          isNull(sources.attachedTo),
          isNull(sources.deletedAt),
        ),
      ),
  );
  return email ?? null;
}

async function attachedTo(scope: TenantScope, emailId: string, except: string[]): Promise<string[]> {
  const rows = await scope.transaction((tx) =>
    tx
      .select({ id: sources.id })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, scope.companyId),
          eq(sources.attachedTo, emailId),
          isNull(sources.deletedAt),
          except.length > 0 ? notInArray(sources.sourceId, except) : undefined,
        ),
      ),
  );
  return rows.map(({ id }) => id);
}

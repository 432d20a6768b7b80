import { extname } from "node:path";
import { and, eq, isNull, sql } from "drizzle-orm";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { textArray, uuidArray } from "../../db/sql.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { SourceLabels } from "../../label-changes.ts";
import { log } from "../../log.ts";
import { sha256 } from "../../sha256.ts";
import { addFiles } from "../intake/add.ts";
import { isOrphanedAttachment } from "../live-email.ts";
import type { Attachment, ReadMetadata } from "../parse/document.ts";
import { isNewestEmail } from "../queries.ts";
import { deleteSources } from "../service.ts";
import { SOURCE_ID_MAX } from "../values.ts";

type Version = typeof sourceVersions.$inferSelect;

/** Longer than any extension by which a format is recognised. */
const EXTENSION_MAX = 10;

interface Read {
  version: Version;
  metadata: ReadMetadata;
  attachments: Attachment[];
}

/**
 * Makes a source of each attachment of the emails among these versions, named after the email and the file. A new
 * attachment gets the email's labels; an existing one keeps its own. Attachments that the email no longer has are
 * deleted. Skips attachments of attachments, and attachments with the name of another source.
 */
export async function storeAttachments(scope: TenantScope, group: Read[]): Promise<void> {
  // only a later version can have lost attachments
  const later = group.filter(({ version, attachments }) => attachments.length === 0 && version.number > 1);
  const losing = await emailsAmong(
    scope,
    later.map(({ version }) => version.sourceId),
  );
  for (const read of group) {
    if (read.attachments.length > 0 || losing.has(read.version.sourceId)) await storeAttachmentsOf(scope, read);
  }
}

async function storeAttachmentsOf(scope: TenantScope, { version, metadata, attachments }: Read): Promise<void> {
  const email = await emailOf(scope, version);
  if (!email) return;
  const named = attachments.map(({ fileName, bytes }) => ({
    sourceId: attachmentId(email.sourceId, fileName),
    fileName: fileName.slice(-SOURCE_ID_MAX).toWellFormed(),
    bytes,
    attachedTo: version.sourceId,
  }));
  const known = await knownSources(
    scope,
    named.map(({ sourceId }) => sourceId),
  );
  const own = named.filter(({ sourceId }) => {
    const source = known.get(sourceId);
    return !source || source.attachedTo === version.sourceId || source.isOrphaned;
  });
  if (own.length < named.length)
    log().info({ email: version.sourceId }, "an attachment has the name of another source");
  const facts = { ...metadata, ...version.metadata };
  const files = own.map((file) => ({ ...file, ...labelsOf(version, facts, known.get(file.sourceId)) }));
  // a newer version may be processed in the meantime, and its attachments stay
  const newest = { id: version.sourceId, versionId: version.id };
  await addFiles(scope, SYSTEM_ACTOR, files, { widenTo: "any", email: newest });
  const stored = new Set(own.map(({ sourceId }) => sourceId));
  const all = await attachmentsOf(scope, version.sourceId);
  const lost = all.filter(({ sourceId }) => !stored.has(sourceId));
  await deleteSources(
    scope,
    SYSTEM_ACTOR,
    lost.map(({ id }) => id),
    { email: newest },
  );
}

/** Names an attachment after its email and the file. A name that is too long ends with a hash of the whole name instead. */
function attachmentId(email: string, fileName: string): string {
  const whole = `${email}/${fileName}`;
  if (whole.length <= SOURCE_ID_MAX) return whole;
  const end = `~${sha256(whole)}${extname(fileName).slice(0, EXTENSION_MAX)}`;
  return `${whole.slice(0, SOURCE_ID_MAX - end.length)}${end}`.toWellFormed();
}

/** A deleted attachment may have missed changes of its email's labels. It returns with the audiences that both have, if any. */
function labelsOf(email: Version, facts: SourceLabels["metadata"], known: KnownSource | undefined) {
  const { audience, contentCategory, path } = email;
  if (!known) return { audience, contentCategory, path, metadata: facts };
  const metadata = { ...known.metadata, ...facts };
  if (!known.deletedAt) return { metadata };
  const both = audience.filter((each) => known.audience.includes(each));
  return { audience: both.length > 0 ? both : audience, contentCategory, path, metadata };
}

/** The given sources that have attachments. */
async function emailsAmong({ companyId, transaction }: TenantScope, ids: string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set();
  const rows = await transaction((tx) =>
    tx
      .selectDistinct({ id: sources.attachedTo })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, companyId),
          sql`${sources.attachedTo} = any(${uuidArray(ids)})`,
          isNull(sources.deletedAt),
        ),
      ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** The source of an email; null when it is deleted, has a newer version, or is an attachment itself. */
async function emailOf({ companyId, transaction }: TenantScope, version: Version) {
  const email = isNewestEmail({ companyId, id: version.sourceId, versionId: version.id });
  const [source] = await transaction((tx) => tx.select({ sourceId: sources.sourceId }).from(sources).where(email));
  return source ?? null;
}

type KnownSource = Awaited<ReturnType<typeof knownSources>> extends Map<string, infer Known> ? Known : never;

/** The sources with these identifiers, including deleted ones, with their newest labels. */
async function knownSources({ companyId, transaction }: TenantScope, sourceIds: string[]) {
  const { sourceId, attachedTo, deletedAt, latestVersionId } = sources;
  const isOrphaned = isOrphanedAttachment(companyId);
  const { id, audience } = sourceVersions;
  const metadata = sql<Record<string, unknown>>`coalesce(${sourceVersions.givenMetadata}, ${sourceVersions.metadata})`;
  const rows = await transaction((tx) =>
    tx
      .select({ sourceId, attachedTo, isOrphaned, deletedAt, audience, metadata })
      .from(sources)
      .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(id, latestVersionId)))
      .where(and(eq(sources.companyId, companyId), sql`${sourceId} = any(${textArray(sourceIds)})`)),
  );
  return new Map(rows.map((row) => [row.sourceId, row]));
}

async function attachmentsOf({ companyId, transaction }: TenantScope, emailId: string) {
  const { id, sourceId, attachedTo, deletedAt } = sources;
  return transaction((tx) =>
    tx
      .select({ id, sourceId })
      .from(sources)
      .where(and(eq(sources.companyId, companyId), eq(attachedTo, emailId), isNull(deletedAt))),
  );
}

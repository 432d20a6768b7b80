import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import { textArray, uuidArray } from "../../db/sql.ts";
import type { CompanyId } from "../../db/tenant.ts";
import type { LabelChange, SourceLabels } from "../../label-changes.ts";
import { sortedJson } from "../../sorted-json.ts";
import { isRestorable } from "../queries.ts";
import { type LabelledSource, newestTexts } from "./newest-texts.ts";
import type { Plan } from "./plan-acceptance.ts";

/** The new labels of an attachment whose email has these changes; null leaves it as it is. */
export type AttachmentLabels = (attachment: LabelledSource, changes: LabelChange[]) => Partial<SourceLabels> | null;

interface ChangedEmails {
  emails: Plan[];
  /** The identifiers of sources that are changed anyway. */
  except: string[];
  attachmentLabels: AttachmentLabels;
}

/**
 * Locks the attachments of emails whose labels change, so that they change in the same transaction: until the email is
 * read again, which may fail, they would be served with its former labels. Deleted ones change too, because they would be
 * restored with those labels.
 * @returns the attachments whose labels change too
 */
export async function attachmentsToRelabel(
  tx: Transaction,
  companyId: CompanyId,
  { emails, except, attachmentLabels }: ChangedEmails,
) {
  const changes = new Map(emails.map((email) => [email.id, email.changes]));
  if (changes.size === 0) return null;
  const { id, sourceId, deletedAt, attachedTo } = sources;
  const rows = await tx
    .select({ id, sourceId, deletedAt })
    .from(sources)
    .where(
      and(
        eq(sources.companyId, companyId),
        sql`${attachedTo} = any(${uuidArray([...changes.keys()])})`,
        or(isNull(deletedAt), isRestorable),
        sql`not ${sourceId} = any(${textArray(except)})`,
      ),
    )
    .orderBy(sql`${sourceId} collate "C"`)
    .for("update");
  const submitted = await newestTexts(tx, companyId, rows, (attachment) =>
    attachmentLabels(attachment, changes.get(attachment.attachedTo ?? "") ?? []),
  );
  if (submitted.length === 0) return null;
  // a source that is accepted as deleted would be added again
  const asLive = rows.map((row) => [row.sourceId, { ...row, deletedAt: null }] as const);
  return { rows: new Map(asLive), submitted };
}

/** The labels of an attachment that change with those of its email. A deleted one gains no audience. Pure. */
export function followEmail(attachment: LabelledSource, changes: LabelChange[]): Partial<SourceLabels> | null {
  const after = labelsAfter(attachment, changes);
  if (!attachment.deletedAt || !after?.audience) return after;
  const kept = after.audience.filter((audience) => attachment.audience.includes(audience));
  return kept.length > 0 ? { ...after, audience: kept } : after;
}

/**
 * A label that was the same as the email's follows it. An attachment with other audiences only loses those that the email
 * loses, unless it would lose all. Pure.
 */
export function labelsAfter(own: SourceLabels, changes: LabelChange[]): Partial<SourceLabels> | null {
  const after: Partial<SourceLabels> = {};
  for (const change of changes) {
    if (change.label === "metadata") after.metadata = metadataAfter(own.metadata, change);
    else if (sortedJson(own[change.label]) === sortedJson(change.before))
      Object.assign(after, { [change.label]: change.after });
    else if (change.label === "audience") {
      const lost = change.before.filter((audience) => !change.after.includes(audience));
      const kept = own.audience.filter((audience) => !lost.includes(audience));
      if (kept.length > 0) after.audience = kept;
    }
  }
  return Object.keys(after).length > 0 ? after : null;
}

/** An attachment has the email's metadata and that of its own. */
function metadataAfter(own: SourceLabels["metadata"], { before, after }: Extract<LabelChange, { label: "metadata" }>) {
  const isChanged = (name: string) => sortedJson(before[name] ?? null) !== sortedJson(after[name] ?? null);
  const kept = Object.entries(own).filter(([name]) => Object.hasOwn(after, name) || !Object.hasOwn(before, name));
  const changed = Object.entries(after).filter(([name]) => isChanged(name));
  return Object.fromEntries([...kept, ...changed]);
}

/**
 * The condition on `sources` for the undo of a change. It leaves out the attachments of an email that the change relabelled
 * too and that has a newer version, because the undo leaves out that email.
 */
export function isUndoable(companyId: CompanyId, relabelId: string): SQL {
  // "or" keeps the database from joining all sources of a company that it has no statistics for
  return sql`(${sources.attachedTo} is null or not exists (
    select from ragstone.source_versions changed
    join ragstone.sources email on email.company_id = changed.company_id and email.id = changed.source_id
    join ragstone.source_versions newest on newest.company_id = email.company_id and newest.id = email.latest_version_id
    where changed.company_id = ${companyId} and changed.source_id = ${sources.attachedTo}
      and changed.relabel_id = ${relabelId} and newest.relabel_id is distinct from changed.relabel_id))`;
}

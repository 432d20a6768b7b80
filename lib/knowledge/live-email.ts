import { type SQL, sql } from "drizzle-orm";
import type { CompanyId } from "../db/tenant.ts";

/**
 * The row of the email that a source in `ragstone.sources` is attached to; null when it is not an attachment, or when
 * its email is deleted.
 */
export function liveEmail(companyId: CompanyId): SQL<string | null> {
  return sql<string | null>`(select email.id from ragstone.sources email
    where email.company_id = ${companyId} and email.id = sources.attached_to and email.deleted_at is null)`;
}

/** The condition on `ragstone.sources` for an attachment whose email is deleted. */
export function isOrphanedAttachment(companyId: CompanyId): SQL<boolean> {
  return sql<boolean>`(sources.attached_to is not null and ${liveEmail(companyId)} is null)`;
}

/** The condition on `ragstone.sources` for all but the attachments of emails that are not deleted. */
export function isOwnSource(companyId: CompanyId): SQL {
  // "or" keeps the database from looking up the email of every source
  return sql`(sources.attached_to is null or ${liveEmail(companyId)} is null)`;
}

import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { CompanyId } from "../../db/tenant.ts";
import type { SourceLabels } from "../../label-changes.ts";
import type { SourceRow } from "../queries.ts";
import { givenLabels } from "./given-labels.ts";
import type { SubmittedSource } from "./plan-acceptance.ts";

/** What decides about the new labels of a source. */
export interface LabelledSource extends SourceLabels {
  id: string;
  /** The row of the email that the source is an attachment of. */
  attachedTo: string | null;
  deletedAt: Date | null;
  addedAt: Date;
  /** When the newest version was made. */
  versionAt: Date;
  /** The change of labels that created the newest version. */
  relabelId: string | null;
}

/** The new labels of a source; null leaves the source out. */
export type NewLabels<Source = LabelledSource> = (source: Source) => Partial<SourceLabels> | null;

/** The newest texts of locked sources, with their new labels. */
export async function newestTexts(
  tx: Transaction,
  companyId: CompanyId,
  rows: SourceRow[],
  newLabels: NewLabels,
): Promise<SubmittedSource[]> {
  const { id: versionId, audience, contentCategory, path, relabelId, sourceType, title, body } = sourceVersions;
  const metadata = sql<Record<string, unknown>>`coalesce(${sourceVersions.givenMetadata}, ${sourceVersions.metadata})`;
  const { id, sourceId, attachedTo, deletedAt, createdAt: addedAt } = sources;
  const versionAt = sourceVersions.createdAt;
  const labels = { audience, contentCategory, path, metadata };
  const texts = await tx
    .select({ id, sourceId, attachedTo, deletedAt, addedAt, versionAt, relabelId, sourceType, title, body, ...labels })
    .from(sources)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(versionId, sources.latestVersionId)))
    .where(and(eq(sources.companyId, companyId), sql`${id} = any(${uuidArray(rows.map((row) => row.id))})`))
    .orderBy(sourceId);
  return texts.flatMap((source) => {
    const labels = newLabels(source);
    if (!labels) return [];
    const { sourceId, sourceType, body, attachedTo } = source;
    // the title of a file is read from the file
    const text = { sourceId, sourceType, body, title: body.kind === "file" ? null : source.title };
    return { ...text, ...(attachedTo && { attachedTo }), ...givenLabels(labels) };
  });
}

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { liveEmail } from "../live-email.ts";
import { visibleTo } from "../visible-sources.ts";
import { current, latest, rowColumns, toCurrent, toLatest } from "./source-rows.ts";

export type ListedSource = Awaited<ReturnType<typeof readListed>>[number];

const { type: sourceType, category: contentCategory, ...columns } = rowColumns;

/** A text may take 10 MB, so only the description of a file is read. */
const FILE = sql<{ fileName: string; bytes: number; sha256: string } | null>`case
  when ${latest.body} ->> 'kind' = 'file' then ${latest.body} end`;

interface Viewer {
  companyId: CompanyId;
  actor: Actor;
}

interface Page {
  where: SQL | undefined;
  orderBy: SQL[];
  limit: number;
}

/** The sources that the actor may see, as programs get them: by the management API and by OpenAI's. */
export function readListed(tx: Transaction, { companyId, actor }: Viewer, { where, orderBy, limit }: Page) {
  return tx
    .select({
      ...columns,
      sourceType,
      contentCategory,
      /** With microseconds, which a JavaScript date does not have, so that a cursor finds the exact row. */
      updatedAt: sql<string>`to_char(${sources.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
      verifiedAt: sources.verifiedAt,
      verifiedBy: sources.verifiedBy,
      verifiedUntil: sources.verifiedUntil,
      /** A deleted attachment may be restored with its email; one that outlived its email is a source of its own. */
      attachedTo: sql<
        string | null
      >`case when sources.deleted_at is null then ${liveEmail(companyId)} else sources.attached_to end`,
      createdAt: sources.createdAt,
      metadata: latest.metadata,
      /** Without what was read from the content. */
      givenMetadata: sql<Record<string, unknown>>`coalesce(${latest.givenMetadata}, ${latest.metadata})`,
      file: FILE,
      /** Of the original; for other sources, what the stored text takes. */
      bytes: sql`case when ${latest.storageKey} is null then pg_column_size(${latest.body})
        else (${latest.body} ->> 'bytes')::bigint end`.mapWith(Number),
    })
    .from(sources)
    .innerJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(and(eq(sources.companyId, companyId), visibleTo(companyId, actor), where))
    .orderBy(...orderBy)
    .limit(limit);
}

import { and, asc, eq, sql } from "drizzle-orm";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { answerReports, users } from "../db/schema/index.ts";
import { textArray, uuidArray } from "../db/sql.ts";
import type { LoggedResult } from "../db/stored-json.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { getRequest } from "./log.ts";

/** The current state of a returned chunk: still served, replaced by another text, or deleted with its source. */
type ChunkState = "served" | "changed" | "deleted";

export interface ReceiptResult extends LoggedResult {
  /** The text as it was returned; null when it is no longer stored. */
  content: string | null;
  state: ChunkState;
  /** The source's row; null once it is deleted for good. */
  source: { id: string; type: "document" | "qa"; isFile: boolean; versionAt: Date | null } | null;
}

export type Receipt = Awaited<ReturnType<typeof getReceipt>>;

/**
 * Returns everything the log has about a request, with the text of its results as it was then, and the reports of its
 * answer.
 * @throws {AppError} NotFound
 */
export async function getReceipt(scope: TenantScope, actor: Actor, id: string) {
  const request = await getRequest(scope, actor, id);
  return scope.snapshot(async (tx) => ({
    ...request,
    results: await withTexts(tx, scope.companyId, request.results),
    reports: await reportsOf(tx, scope.companyId, id),
  }));
}

interface TextRow extends Record<string, unknown> {
  id: string;
  content: string | null;
  headings: string[] | null;
  source: string | null;
  source_type: "document" | "qa" | null;
  is_file: boolean | null;
  version_at: string | null;
  is_deleted: boolean | null;
  is_served: boolean;
}

async function withTexts(tx: Transaction, companyId: CompanyId, results: LoggedResult[]): Promise<ReceiptResult[]> {
  if (results.length === 0) return [];
  const rows = await tx.execute<TextRow>(sql`
    select logged.id, coalesce(kept.content, chunk.content) as content, to_json(coalesce(kept.headings, chunk.headings)) as headings,
      source.id as source, version.source_type, version.body ->> 'kind' = 'file' as is_file,
      version.ready_at::text as version_at,
      source.deleted_at is not null as is_deleted,
      exists (
        select from ragstone.version_chunks served where served.company_id = ${companyId}
          and served.version_id = source.current_version_id and served.chunk_id = logged.id
      ) as is_served
    from unnest(${uuidArray(results.map((result) => result.id))}, ${textArray(results.map((result) => result.sourceId))})
      as logged (id, source_id)
    left join ragstone.returned_chunks kept on kept.company_id = ${companyId} and kept.id = logged.id
    left join ragstone.chunks chunk on chunk.company_id = ${companyId} and chunk.id = logged.id
    left join ragstone.sources source on source.company_id = ${companyId} and source.source_id = logged.source_id
    left join ragstone.source_versions version
      on version.company_id = ${companyId} and version.id = coalesce(source.current_version_id, source.latest_version_id)`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return results.map((result) => {
    const row = byId.get(result.id);
    return {
      ...result,
      headings: result.headings ?? row?.headings ?? [],
      content: row?.content ?? null,
      state: stateOf(row),
      source:
        row?.source && row.source_type
          ? {
              ...{ id: row.source, type: row.source_type, isFile: row.is_file ?? false },
              versionAt: row.version_at ? new Date(row.version_at) : null,
            }
          : null,
    };
  });
}

function stateOf(row: TextRow | undefined): ChunkState {
  if (!row?.source || row.is_deleted) return "deleted";
  return row.is_served ? "served" : "changed";
}

/** Oldest first. */
async function reportsOf(tx: Transaction, companyId: CompanyId, requestId: string) {
  const { id, note, createdAt, resolvedAt, history } = answerReports;
  return tx
    .select({ id, note, createdAt, resolvedAt, history, memberName: users.name })
    .from(answerReports)
    .leftJoin(users, eq(users.id, answerReports.userId))
    .where(and(eq(answerReports.companyId, companyId), eq(answerReports.requestId, requestId)))
    .orderBy(asc(createdAt), asc(id));
}

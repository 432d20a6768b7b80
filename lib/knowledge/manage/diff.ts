import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { isAdmin, requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, type VERSION_STATES } from "../../db/schema/index.ts";
import { textArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { isOwnSource } from "../live-email.ts";
import { visibleTo } from "../visible-sources.ts";
import { type diffResponse, SOURCES_PER_DIFF } from "./responses.ts";
import type { diffRequest } from "./schema.ts";

type DiffRequest = z.output<typeof diffRequest>;
type DiffResponse = z.input<typeof diffResponse>;
type Place = "missing" | "changed" | "unchanged" | "pending";

/** The newest version of a source. */
interface Known extends Record<string, unknown> {
  state: (typeof VERSION_STATES)[number];
  sha256: string;
}

/** SHA-256 of the content of a version `v`, as the request's schema describes it. */
const CONTENT_SHA256 = sql`case v.body ->> 'kind'
  when 'file' then v.body ->> 'sha256'
  when 'text' then encode(sha256(convert_to(v.title || E'\\n\\n' || (v.body ->> 'content'), 'UTF8')), 'hex')
  else encode(sha256(convert_to((v.body ->> 'question') || E'\\n\\n' || (v.body ->> 'answer') || coalesce((
    select string_agg(E'\\n\\n' || phrasing, '' order by place)
    from jsonb_array_elements_text(v.body -> 'alternatives') with ordinality as each (phrasing, place)), ''), 'UTF8')), 'hex')
  end`;

/**
 * Compares what a caller has with what the actor may see here, so that only new content has to be sent. Only an actor who
 * may list sources learns what is left over.
 */
export async function diffSources(scope: TenantScope, actor: Actor, request: DiffRequest): Promise<DiffResponse> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const known = await compare(tx, companyId, actor, request);
    const extra = isAdmin(scope, actor, "manage") ? await findExtra(tx, companyId, actor, request) : [];
    const of = (place: Place) => known.flatMap((each) => (each.place === place ? [each.sourceId] : []));
    return {
      missing: of("missing"),
      changed: of("changed"),
      unchanged: of("unchanged"),
      pending: of("pending"),
      extra: extra.slice(0, SOURCES_PER_DIFF),
      hasMoreExtra: extra.length > SOURCES_PER_DIFF,
    };
  });
}

/** The place of each given source, in the order of the request. */
async function compare(tx: Transaction, companyId: CompanyId, actor: Actor, { sources: given }: DiffRequest) {
  // by a list, not by a join with it, and without nested loops, because a planner with old statistics compares every pair
  await tx.execute(sql`set local enable_nestloop = off`);
  const rows = await tx.execute<Known & { sourceId: string }>(sql`
    select sources.source_id as "sourceId", v.state, ${CONTENT_SHA256} as sha256
    from ragstone.sources
    join ragstone.source_versions v on v.company_id = ${companyId} and v.id = sources.latest_version_id
    where sources.company_id = ${companyId} and sources.deleted_at is null and ${visibleTo(companyId, actor) ?? sql`true`}
      and sources.source_id = any(${textArray(given.map(({ sourceId }) => sourceId))})`);
  const known = new Map(rows.map((row) => [row.sourceId, row]));
  return given.map(({ sourceId, sha256 }) => ({ sourceId, place: placeOf(known.get(sourceId), sha256) }));
}

function placeOf(known: Known | undefined, sha256: string): Place {
  if (!known) return "missing";
  if (known.state === "failed" || known.sha256 !== sha256) return "changed";
  return known.state === "building" ? "pending" : "unchanged";
}

/** One more than a response lists, if there are more. */
async function findExtra(tx: Transaction, companyId: CompanyId, actor: Actor, { prefix, sources: given }: DiffRequest) {
  const rows = await tx
    .select({ sourceId: sources.sourceId })
    .from(sources)
    .where(
      and(
        eq(sources.companyId, companyId),
        isNull(sources.deletedAt),
        // an attachment goes with its email
        isOwnSource(companyId),
        visibleTo(companyId, actor),
        prefix ? sql`starts_with(${sources.sourceId}, ${prefix})` : undefined,
        sql`${sources.sourceId} not in (select unnest(${textArray(given.map(({ sourceId }) => sourceId))}))`,
      ),
    )
    .orderBy(sources.sourceId)
    .limit(SOURCES_PER_DIFF + 1);
  return rows.map(({ sourceId }) => sourceId);
}

import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Actor, requireAdmin } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import { textArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { visibleTo } from "../visible-sources.ts";
import { type diffResponse, SOURCES_PER_DIFF } from "./responses.ts";
import type { diffRequest } from "./schema.ts";

type DiffRequest = z.output<typeof diffRequest>;
type DiffResponse = z.input<typeof diffResponse>;
type Place = "missing" | "changed" | "unchanged" | "pending";

/** SHA-256 of the content of a version `v`, as the request's schema describes it. */
const CONTENT_SHA256 = sql`case v.body ->> 'kind'
  when 'file' then v.body ->> 'sha256'
  when 'text' then encode(sha256(convert_to(v.title || E'\\n\\n' || (v.body ->> 'content'), 'UTF8')), 'hex')
  else encode(sha256(convert_to((v.body ->> 'question') || E'\\n\\n' || (v.body ->> 'answer') || coalesce((
    select string_agg(E'\\n\\n' || wording, '' order by place)
    from jsonb_array_elements_text(v.body -> 'alternatives') with ordinality as each (wording, place)), ''), 'UTF8')), 'hex')
  end`;

/** Compares what a caller has with what the actor may see here, so that only new content has to be sent. */
export async function diffSources(scope: TenantScope, actor: Actor, request: DiffRequest): Promise<DiffResponse> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const known = await compare(tx, companyId, actor, request);
    const extra = await findExtra(tx, companyId, actor, request);
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

async function compare(tx: Transaction, companyId: CompanyId, actor: Actor, { sources: given }: DiffRequest) {
  return tx.execute<{ sourceId: string; place: Place }>(sql`
    select given.source_id as "sourceId", case
      when v.id is null then 'missing'
      when v.state = 'failed' or given.sha256 <> ${CONTENT_SHA256} then 'changed'
      when v.state = 'building' then 'pending'
      else 'unchanged' end as place
    from unnest(${textArray(given.map(({ sourceId }) => sourceId))}, ${textArray(given.map(({ sha256 }) => sha256))})
      with ordinality as given (source_id, sha256, place)
    left join ragstone.sources on sources.company_id = ${companyId} and sources.source_id = given.source_id
      and sources.deleted_at is null and ${visibleTo(actor) ?? sql`true`}
    left join ragstone.source_versions v on v.company_id = ${companyId} and v.id = sources.latest_version_id
    order by given.place`);
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
        isNull(sources.attachedTo),
        visibleTo(actor),
        prefix ? sql`starts_with(${sources.sourceId}, ${prefix})` : undefined,
        sql`${sources.sourceId} not in (select unnest(${textArray(given.map(({ sourceId }) => sourceId))}))`,
      ),
    )
    .orderBy(sources.sourceId)
    .limit(SOURCES_PER_DIFF + 1);
  return rows.map(({ sourceId }) => sourceId);
}

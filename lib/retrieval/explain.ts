import { sql } from "drizzle-orm";
import { type ServedContent, servedContent } from "../db/served-content.ts";
import { containsPattern } from "../db/sql.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { ownSettingWords } from "../retrieval-settings/setting-words.ts";
import { passesFilters } from "../search-index/passing-chunks.ts";
import type { EffectiveFilters } from "../search-index/source-filters.ts";
import { applyPolicy, filtersOfPolicy } from "./apply-policy.ts";
import { calibrateScores } from "./calibrate-scores.ts";
import { type CompleteRequest, withSettings } from "./company-settings.ts";
import { rankChunks } from "./rank.ts";
import type { RankContext } from "./rank-context.ts";
import type { RetrieveRequest } from "./schema.ts";
import { searchedText } from "./searched-text.ts";
import { stopwatch } from "./stopwatch.ts";

/** A filter that a source does not pass: of the request, or of its key. */
interface Exclusion {
  filter: keyof EffectiveFilters;
  isOfKey: boolean;
}

/** What happened to a source in a search: the first kind that applies. Ranks start at 1. */
type Verdict =
  | { kind: "deleted" | "not_ready" | "empty" }
  | { kind: "excluded"; by: Exclusion[] }
  | { kind: "no_candidate" }
  | { kind: "repeats"; sourceId: string; rank: number }
  | { kind: "below_threshold" | "behind_limit" | "returned"; rank: number; score: number; chunkId: string };

export interface Explanation {
  source: { id: string; sourceId: string; title: string; chunks: number };
  verdict: Verdict;
  /** The company's own retrieval settings, which the search followed, in words. */
  settings: string[];
}

interface SourceRow extends Record<string, unknown> {
  id: string;
  source_id: string;
  title: string;
  chunks: number;
  deleted: boolean;
  served: boolean;
}

/**
 * Explains why a source was returned or not, by running the same search without a limit.
 * @param name a source's identifier or title, or a part of it; the best match is used
 * @throws {AppError} NotFound when no source matches the name
 */
export async function explainSource(
  scope: TenantScope,
  given: RetrieveRequest,
  { policy, name }: { policy: KeyPolicy; name: string },
): Promise<Explanation> {
  const row = await findSource(scope, name);
  const content = await servedContent(scope);
  const request = withSettings(given, content.settings);
  const verdict = await verdictOn(scope, row, { request, policy, content });
  const source = { id: row.id, sourceId: row.source_id, title: row.title, chunks: row.chunks };
  return { source, verdict, settings: ownSettingWords(content.settings) };
}

interface Asked {
  request: CompleteRequest;
  policy: KeyPolicy;
  content: ServedContent;
}

async function verdictOn(scope: TenantScope, row: SourceRow, asked: Asked): Promise<Verdict> {
  if (row.deleted) return { kind: "deleted" };
  if (!row.served) return { kind: "not_ready" };
  if (row.chunks === 0) return { kind: "empty" };
  const by = await excludedBy(scope, row.id, asked.policy, asked.request);
  if (by.length > 0) return { kind: "excluded", by };
  return findPlace(scope, row.source_id, asked);
}

async function findSource(scope: TenantScope, name: string): Promise<SourceRow> {
  const part = containsPattern(name);
  const [row] = await scope.transaction((tx) =>
    tx.execute<SourceRow>(sql`
      select s.id, s.source_id, v.title, v.chunk_count as chunks, s.deleted_at is not null as deleted,
        s.current_version_id is not null as served
      from ragstone.sources s
      join ragstone.source_versions v
        on v.company_id = s.company_id and v.id = coalesce(s.current_version_id, s.latest_version_id)
      where s.company_id = ${scope.companyId} and (s.source_id ilike ${part} or v.title ilike ${part})
      order by s.source_id = ${name} desc, lower(v.title) = lower(${name}) desc, s.deleted_at is not null, length(v.title), s.source_id
      limit 1`),
  );
  if (!row) throw new AppError("NotFound", `No source matches “${name}”. Check its title or identifier.`);
  return row;
}

/** The filters that the source does not pass, from the request and from the key's policy. */
async function excludedBy(scope: TenantScope, id: string, policy: KeyPolicy, request: RetrieveRequest) {
  const withoutAnswer = { ...request, returnMode: "chunks_only" as const };
  const asked = applyPolicy({}, withoutAnswer).filters;
  const allowed = filtersOfPolicy(policy);
  return scope.snapshot(async (tx): Promise<Exclusion[]> => {
    const failing: Exclusion[] = [];
    for (const [filters, isOfKey] of [
      [asked, false],
      [allowed, true],
    ] as const) {
      for (const filter of ["audience", "sourceTypes", "contentCategory", "path", "metadata"] as const) {
        const nothing = filters === "nothing" && filter !== "metadata" && policy[filter]?.length === 0;
        const only = filters === "nothing" || !filters[filter] ? null : { [filter]: filters[filter] };
        const fails =
          nothing || (only && !(await passesFilters(tx, { companyId: scope.companyId, id, filters: only })));
        if (fails) failing.push({ filter, isOfKey });
      }
    }
    // a source of several audiences can pass both filters when they have no audience in common
    const isDisjoint = failing.length === 0 && applyPolicy(policy, withoutAnswer).filters === "nothing";
    return isDisjoint ? [false, true].map((isOfKey) => ({ filter: "audience", isOfKey })) : failing;
  });
}

async function findPlace(scope: TenantScope, sourceId: string, { request, policy, content }: Asked): Promise<Verdict> {
  const { filters, limit } = applyPolicy(policy, { ...request, returnMode: "chunks_only" });
  const context: RankContext = { watch: stopwatch(), degraded: [] };
  const searchQuery = await searchedText(request, context);
  const ranking = await rankChunks(
    scope,
    {
      ...request,
      queryText: searchQuery ?? request.queryText,
      isCompleted: searchQuery !== null,
      filters,
      wanted: Number.POSITIVE_INFINITY,
      content,
      vectorWeight: content.settings.vectorWeight,
    },
    context,
  );
  const { chunks: ranked } = calibrateScores(ranking, content.calibration, context.degraded);
  const index = ranked.findIndex(({ chunk }) => chunk.sourceId === sourceId);
  const found = ranked[index];
  if (!found) {
    const same = ranked.findIndex(({ alsoIn }) => alsoIn.includes(sourceId));
    const kept = ranked[same];
    return kept ? { kind: "repeats", sourceId: kept.chunk.sourceId, rank: same + 1 } : { kind: "no_candidate" };
  }
  const place = { rank: index + 1, score: found.score, chunkId: found.chunk.id };
  if (found.score < request.scoreThreshold) return { kind: "below_threshold", ...place };
  return { kind: index < limit ? "returned" : "behind_limit", ...place };
}

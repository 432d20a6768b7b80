import { sql } from "drizzle-orm";
import { cosineOf } from "../../ai/cosine.ts";
import { COMPARED_CHARACTERS_MAX } from "../../ai/local/question-closeness.ts";
import { embedTexts } from "../../ai/models.ts";
import { policyOf, requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { questionKey } from "../../db/question-key.ts";
import { textArray } from "../../db/sql.ts";
import type { SourceBody } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { log } from "../../log.ts";
import { filtersOfPolicy } from "../../retrieval/apply-policy.ts";
import { rankChunks } from "../../retrieval/rank.ts";
import { stopwatch } from "../../retrieval/stopwatch.ts";
import { verificationColumn } from "../browse/source-rows.ts";
import { visibleTo } from "../visible-sources.ts";
import type { SharedLabels } from "./differing-labels.ts";

/**
 * Minimum cosine for two questions to count as the same. Measured on the 76 questions of the sample: the nearest two
 * with different answers have .77, and 200 of 201 questions with another article, pronoun or greeting have at least .90.
 */
const SIMILAR_FROM = 0.9;
/** Sources whose question is compared with a new one. */
const CANDIDATES = 5;

/** A question that is about to be saved, or was saved under this identifier. */
interface Asked {
  question: string;
  sourceId?: string | undefined;
}

/** A source that already answers the question, as its newest version has it. */
export interface AnsweredIn extends SharedLabels {
  id: string;
  sourceId: string;
  versionId: string;
  question: string;
  answer: string;
  /** Other phrasings of its question. */
  alternatives: string[];
  /** Whether the answer is verified and not due for a review. */
  isVerified: boolean;
}

interface SourceRow extends SharedLabels, Record<string, unknown> {
  id: string;
  sourceId: string;
  versionId: string;
  isVerified: boolean;
  body: SourceBody;
}

const COLUMNS = sql`sources.id, sources.source_id as "sourceId",
  ${verificationColumn} is not distinct from 'verified' as "isVerified", version.id as "versionId", version.body,
  to_json(version.audience) as audience, version.content_category as "contentCategory", to_json(version.path) as path`;

/**
 * Finds for each question another source with the same one, apart from case, spaces and final punctuation. Sources that
 * the actor may not see are not found.
 * @returns by the index in `asked`
 */
export async function findRepeated(scope: TenantScope, actor: Actor, asked: Asked[]): Promise<Map<number, AnsweredIn>> {
  requireAdmin(scope, actor, "ingest");
  if (asked.length === 0) return new Map();
  const { companyId } = scope;
  const rows = await scope.snapshot((tx) =>
    tx.execute<SourceRow & { index: number }>(sql`
      with asked as materialized (
        select ${questionKey(sql`question`)} as key, source_id, position
        from unnest(${textArray(asked.map(({ question }) => question))},
          ${textArray(asked.map(({ sourceId }) => sourceId ?? ""))}) with ordinality as asked (question, source_id, position)
      )
      select distinct on (asked.position) (asked.position - 1)::int as "index", ${COLUMNS}
      from ragstone.source_versions version
      join ragstone.sources on sources.company_id = ${companyId} and sources.id = version.source_id
        and sources.latest_version_id = version.id and sources.deleted_at is null and ${visibleTo(companyId, actor) ?? sql`true`}
      join asked on asked.key = version.question_key and asked.source_id <> sources.source_id
      where version.company_id = ${companyId} and version.question_key = any(array(select key from asked))
      order by asked.position, sources.created_at, sources.id`),
  );
  return new Map(
    rows.flatMap(({ index, ...row }) => {
      const found = answeredIn(row);
      return found ? [[index, found] as const] : [];
    }),
  );
}

/**
 * Finds another source whose question, or one of its other phrasings, means the same in nearly the same words, among
 * the sources that retrieval serves. Takes about as long as a retrieval. Also null while the embedding model is
 * unavailable.
 */
export async function findSimilar(scope: TenantScope, actor: Actor, asked: Asked): Promise<AnsweredIn | null> {
  requireAdmin(scope, actor, "ingest");
  const { question, sourceId } = asked;
  const allowed = filtersOfPolicy(policyOf(actor));
  if (question.length > COMPARED_CHARACTERS_MAX || allowed === "nothing") return null;
  const filters = { ...allowed, sourceTypes: ["qa" as const] };
  const request = { queryText: question, filters, useRerank: false, wanted: 2 * CANDIDATES };
  const { ranked } = await rankChunks(scope, request, { watch: stopwatch(), degraded: [] });
  const near = new Set(ranked.map(({ chunk }) => chunk.sourceId).filter((id) => id !== sourceId));
  const candidates = await readQuestions(scope, actor, [...near].slice(0, CANDIDATES));
  const phrasings = candidates.flatMap((found) =>
    [found.question, ...found.alternatives]
      .filter((text) => text.length <= COMPARED_CHARACTERS_MAX && numbersOf(text) === numbersOf(question))
      .map((text) => ({ text, found })),
  );
  if (phrasings.length === 0) return null;
  const [own, ...vectors] = await vectorsOf([question, ...phrasings.map(({ text }) => text)]);
  if (own === undefined) return null;
  const best = phrasings
    .map(({ found }, index) => ({ found, cosine: cosineOf(own, vectors[index] ?? []) }))
    .reduce((one, other) => (other.cosine > one.cosine ? other : one));
  return best.cosine >= SIMILAR_FROM ? best.found : null;
}

/** None while the model is unavailable: a question can be saved without knowing similar ones. */
async function vectorsOf(texts: string[]): Promise<number[][]> {
  try {
    return await embedTexts(texts);
  } catch (error) {
    log().warn({ err: error }, "a new question was not compared with similar ones");
    return [];
  }
}

/** Another source that already answers the question: one with the same question, else one with a similar question. */
export async function findAnswered(scope: TenantScope, actor: Actor, asked: Asked): Promise<AnsweredIn | null> {
  return (await findRepeated(scope, actor, [asked])).get(0) ?? findSimilar(scope, actor, asked);
}

/** The words with digits: "Mobile 5" and "Mobile 10" are close for the model, but not the same. */
function numbersOf(text: string): string {
  return (text.match(/\d+/g) ?? []).join(" ");
}

async function readQuestions(scope: TenantScope, actor: Actor, sourceIds: string[]) {
  if (sourceIds.length === 0) return [];
  const rows = await scope.snapshot((tx) =>
    tx.execute<SourceRow>(sql`
      select ${COLUMNS}
      from unnest(${textArray(sourceIds)}) with ordinality as near (source_id, position)
      join ragstone.sources on sources.company_id = ${scope.companyId} and sources.source_id = near.source_id
        and sources.deleted_at is null and ${visibleTo(scope.companyId, actor) ?? sql`true`}
      join ragstone.source_versions version on version.company_id = ${scope.companyId} and version.id = sources.latest_version_id
      order by near.position`),
  );
  return rows.flatMap((row) => answeredIn(row) ?? []);
}

function answeredIn({ body, ...row }: SourceRow): AnsweredIn | null {
  if (body.kind !== "qa") return null;
  const { kind: _, ...content } = body;
  return { ...row, ...content };
}

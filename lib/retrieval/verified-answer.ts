import { sql } from "drizzle-orm";
import { withoutCitations } from "../ai/citations.ts";
import { cosineOf } from "../ai/cosine.ts";
import type { Embed } from "../ai/local/evidence.ts";
import { COMPARED_CHARACTERS_MAX, questionCloseness, SAME_QUESTION_CLOSENESS } from "../ai/local/question-closeness.ts";
import { embedFor } from "../ai/models.ts";
import { textArray } from "../db/sql.ts";
import type { VerifiedMatch } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import type { Question } from "./question.ts";
import type { RankContext } from "./rank-context.ts";
import { isVerified, type ScoredChunk } from "./scored-chunks.ts";

/** Results whose question is compared with the one that was asked. */
const COMPARED_MAX = 5;

export interface Verified {
  match: VerifiedMatch;
  /** The verified answer word for word, and the only citation: the number of its result. Null unless it is returned. */
  answer: string | null;
}

interface VerifiedRow extends Record<string, unknown> {
  sourceId: string;
  by: string;
  until: string | null;
  question: string;
  answer: string;
  /** Null for the default. */
  needed: number | null;
}

/**
 * Finds the verified answer whose question is closest to the one that was asked, among the results, which are those that
 * the caller may see. Null without one; then nothing is read.
 * @param found.chunks the results in their order
 */
export async function closestVerified(
  scope: TenantScope,
  { question, chunks }: { question: Pick<Question, "text" | "language">; chunks: readonly ScoredChunk[] },
  { watch, signal }: RankContext,
): Promise<Verified | null> {
  const near = chunks.filter(({ chunk }) => isVerified(chunk)).slice(0, COMPARED_MAX);
  if (near.length === 0 || question.text.length > COMPARED_CHARACTERS_MAX) return null;
  return watch.time("verified", async () => {
    const rows = new Map((await readVerified(scope, near)).map((row) => [row.sourceId, row]));
    const phrasings = near.flatMap(({ chunk }) => {
      const row = rows.get(chunk.sourceId);
      if (!row) return [];
      return [...new Set([row.question, chunk.phrasing ?? row.question])].map((phrasing) => ({ row, phrasing }));
    });
    if (phrasings.length === 0) return null;
    const texts = phrasings.map(({ phrasing }) => phrasing.slice(0, COMPARED_CHARACTERS_MAX));
    const cosines = await cosinesTo(question.text, texts, embedFor(scope.companyId), signal);
    const { row, closeness } = phrasings
      .map(({ row, phrasing }, index) => {
        const compared = { question: question.text, language: question.language };
        return { row, closeness: questionCloseness(compared, phrasing, cosines?.[index] ?? 0) };
      })
      .reduce((best, other) => (other.closeness > best.closeness ? other : best));
    // without vectors, only the same words are known to be close
    if (cosines === null && closeness < 1) return null;
    const { sourceId, by, until, answer } = row;
    const needed = row.needed ?? SAME_QUESTION_CLOSENESS;
    const place = chunks.findIndex(({ chunk }) => chunk.sourceId === sourceId) + 1;
    const returned = closeness >= needed;
    return {
      match: { sourceId, by, until, closeness, needed, returned },
      answer: returned ? `${withoutCitations(answer)} [${place}]` : null,
    };
  });
}

/** The cosine of the question with each text. Null when the model is unavailable. */
async function cosinesTo(
  question: string,
  texts: string[],
  embed: Embed,
  signal: AbortSignal | undefined,
): Promise<number[] | null> {
  try {
    const [asked = [], ...vectors] = await embed([question, ...texts], signal);
    return vectors.map((vector) => cosineOf(asked, vector));
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "verified answers were compared by their words only");
    return null;
  }
}

/** The verified answers of these results whose verification has not expired. */
async function readVerified(scope: TenantScope, chunks: readonly ScoredChunk[]): Promise<VerifiedRow[]> {
  const { companyId } = scope;
  return scope.snapshot((tx) =>
    tx.execute<VerifiedRow>(sql`
      select sources.source_id as "sourceId", sources.verified_by as by, sources.verified_until::text as until,
        version.body ->> 'question' as question, version.body ->> 'answer' as answer,
        companies.verified_closeness as needed
      from ragstone.sources
      join ragstone.source_versions version on version.company_id = ${companyId} and version.id = sources.current_version_id
        and version.source_type = 'qa'
      join ragstone.companies on companies.id = ${companyId}
      where sources.company_id = ${companyId} and sources.deleted_at is null and sources.verified_at is not null
        and (sources.verified_until is null or sources.verified_until >= (now() at time zone 'utc')::date)
        and sources.source_id = any(${textArray(chunks.map(({ chunk }) => chunk.sourceId))})`),
  );
}

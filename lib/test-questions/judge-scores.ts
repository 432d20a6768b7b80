import { servedContent } from "../db/served-content.ts";
import type { JudgedScore } from "../db/stored-json.ts";
import type { JudgedOutcome } from "../db/stored-tests.ts";
import type { TenantScope } from "../db/tenant.ts";
import { parseInput } from "../errors.ts";
import { applyPolicy } from "../retrieval/apply-policy.ts";
import { rankChunks } from "../retrieval/rank.ts";
import type { RankContext } from "../retrieval/rank-context.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import type { ScoredChunk } from "../retrieval/scored-chunks.ts";
import { stopwatch } from "../retrieval/stopwatch.ts";
import { policyOfQuestion } from "./ask-question.ts";
import type { TestQuestion } from "./service.ts";

type Expectation = Pick<TestQuestion, "expectedSource" | "mustRefuse">;

/** Whether a question says of its results which are right: those of one source, or none. */
export function isJudged({ expectedSource, mustRefuse }: Expectation): boolean {
  return expectedSource !== null || mustRefuse;
}

/**
 * The scores of a question's first results before calibration, by both stages that may be the last.
 * @returns null when a model was unavailable
 * @throws {AppError} when the question's key no longer works
 */
export async function judgeScores(
  scope: TenantScope,
  question: TestQuestion,
  signal: AbortSignal,
): Promise<JudgedOutcome | null> {
  const content = await servedContent(scope);
  const request = parseInput(retrieveRequest, { queryText: question.question, filters: question.filters });
  const { filters, limit } = applyPolicy(await policyOfQuestion(scope, question), request);
  const context: RankContext = { watch: stopwatch(signal), degraded: [], signal };
  const { vectorWeight } = content.settings;
  const { chunks, ranked, reranker } = await rankChunks(
    scope,
    { queryText: question.question, filters, useRerank: true, vectorWeight, wanted: limit, content },
    context,
  );
  if (context.degraded.length > 0) return null;
  const judged = (found: ScoredChunk[]) => found.slice(0, limit).map((scored) => judgedScore(question, scored));
  const by = { vectorWeight: vectorWeight ?? null, modelId: content.model?.id ?? null, reranker };
  return { combined: judged(chunks), reranked: judged(ranked), by };
}

function judgedScore({ expectedSource }: Expectation, { score, chunk, alsoIn }: ScoredChunk): JudgedScore {
  const sources = [chunk.sourceId, ...alsoIn];
  return { score, right: expectedSource !== null && sources.includes(expectedSource) };
}

import type { AnswerPart } from "../ai/check-sentences.ts";
import { getKeyChoice } from "../api-keys/service.ts";
import { requirePerson } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { consumeRateLimit } from "../rate-limit.ts";
import { markInstructions } from "../retrieval/mark-instructions.ts";
import { matchedWords } from "../retrieval/matched-words.ts";
import type { RetrieveRequest } from "../retrieval/schema.ts";
import { type Retrieval, streamRetrieval } from "../retrieval/service.ts";

interface PlaygroundRun {
  requestId: string;
  request: RetrieveRequest;
  /** Applies this key's policy without using the key: its rate limit and its last use stay unchanged. */
  keyId: string | null;
  signal?: AbortSignal;
}

/** The results of a run, before the answer is written. */
export interface PlaygroundFound extends Pick<Retrieval, "response" | "stages" | "degraded" | "trace" | "searchQuery"> {
  type: "found";
  requestId: string;
  /** For each result, the words of its title and text that match the question, as written there. */
  matched: string[][];
}

type Finished = "stages" | "degraded" | "trace" | "truncatedFields" | "keptAnswer";

/** What is known when the answer is written. */
export interface PlaygroundFinished extends Pick<Retrieval, Finished> {
  type: "finished";
}

export type PlaygroundPart = PlaygroundFound | AnswerPart | PlaygroundFinished;

/**
 * Runs a retrieval as the API streams it, counted against the member's own rate limit. Needs no active subscription.
 * @throws {AppError} TooManyRequests; NotFound or Conflict when the key is not live; Forbidden by its policy
 */
export async function* runInPlayground(
  scope: TenantScope,
  actor: Actor,
  { requestId, request, keyId, signal }: PlaygroundRun,
): AsyncGenerator<PlaygroundPart> {
  const { id: userId } = requirePerson(scope, actor);
  await countRun(userId);
  const policy = keyId ? await policyOfLiveKey(scope, actor, keyId) : {};
  const options = { requestId, origin: "playground", userId, policy, asKeyId: keyId, signal } as const;
  const parts = streamRetrieval(scope, request, options);
  for (;;) {
    const { done, value } = await parts.next();
    if (done) {
      const { trace, stages, degraded, truncatedFields, keptAnswer, response } = value;
      const marked = markInstructions(trace, textsOf(response));
      yield { type: "finished", trace: marked, stages, degraded, truncatedFields, keptAnswer };
      return;
    }
    if (value.type === "found") {
      const { question, trace, ...found } = value;
      const matched = found.response.results.map(({ payload: { title, content } }) =>
        matchedWords(question, `${title}\n${content}`),
      );
      yield { ...found, trace: markInstructions(trace, textsOf(found.response)), requestId, matched };
    } else yield value;
  }
}

function textsOf({ results }: Retrieval["response"]) {
  return results.map(({ id, payload: { content } }) => ({ id, content }));
}

/**
 * Counts a run against the member's own rate limit, which is the default of keys.
 * @throws {AppError} TooManyRequests
 */
export async function countRun(userId: string): Promise<void> {
  const { rateLimitPerMinute: perMinute } = env();
  await consumeRateLimit({ id: `member ${userId}`, perMinute });
}

/** The policy of a key. @throws {AppError} NotFound; Conflict when the key is revoked or expired */
export async function policyOfLiveKey(scope: TenantScope, actor: Actor, keyId: string): Promise<KeyPolicy> {
  const { name, status, policy } = await getKeyChoice(scope, actor, keyId);
  if (status === "active" || status === "retiring") return policy;
  throw new AppError("Conflict", `The key “${name}” is ${status}, so the API refuses it. Choose another key.`);
}

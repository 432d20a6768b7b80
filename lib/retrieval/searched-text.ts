import { answerModel } from "../ai/models.ts";
import { rewriteQuestion } from "../ai/rewrite-question.ts";
import { log } from "../log.ts";
import { cleanText } from "../text.ts";
import { completeByRules, type FollowUp, followUpOf } from "./follow-up.ts";
import type { RankContext } from "./rank-context.ts";
import type { RetrieveRequest } from "./schema.ts";

type Asked = Pick<RetrieveRequest, "queryText" | "returnMode" | "clientCurrentChatHistory">;

/** In characters: the end of a chat, which a model gets. */
const CHAT_MAX = 6_000;
/** In characters: the completed question is also a header of the response. */
const COMPLETED_MAX = 400;

/**
 * The question completed from the chat before it, as it is searched: by the language model, or by rules where there is
 * none or it fails, which `degraded` then says. Null when the question is searched as it was sent, which is always the
 * case without an answer.
 *
 * @throws the reason of the signal when the caller gave up
 */
export async function searchedText(
  { queryText, returnMode, clientCurrentChatHistory }: Asked,
  { watch, degraded, signal }: RankContext,
): Promise<string | null> {
  if (returnMode !== "ai_generated_answer" || !clientCurrentChatHistory) return null;
  const followUp = followUpOf(queryText, clientCurrentChatHistory);
  if (followUp === null) return null;
  const completed = await watch.time("complete", () => complete(followUp, { degraded, signal }));
  return completed === queryText ? null : cleanText(completed.slice(0, COMPLETED_MAX));
}

async function complete(
  followUp: FollowUp,
  { degraded, signal }: Pick<RankContext, "degraded" | "signal">,
): Promise<string> {
  const { model, fallback } = answerModel();
  if (fallback === null) return completeByRules(followUp);
  const chat = followUp.messages
    .map(({ from, text }) => (from === null ? text : `${from}: ${text}`))
    .join("\n")
    .slice(-CHAT_MAX);
  try {
    const rewritten = await rewriteQuestion({ model, question: followUp.question, chat, signal });
    return rewritten ?? completeByRules(followUp);
  } catch (error) {
    signal?.throwIfAborted();
    log().warn(
      { failure: error instanceof Error ? error.name : "unknown" },
      "a follow-up question was completed by rules",
    );
    degraded.push("generation");
    return completeByRules(followUp);
  }
}

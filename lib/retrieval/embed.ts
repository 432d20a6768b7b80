import type { Embedder, QueryOrigin } from "../ai/embedder.ts";
import { embedder, formerEmbedder, tokenizer } from "../ai/models.ts";
import { budgets } from "../ai/remote/resilience.ts";
import type { ServedState } from "../db/served-content.ts";
import { log } from "../log.ts";
import { condenseQuery } from "./condense.ts";
import type { Question } from "./question.ts";

/** A question as a vector of the model that the environment chooses. */
interface ChosenEmbedding {
  vector: Float32Array;
  modelId: string;
}

/** A question as a vector of the model that made the company's vectors. */
export interface QuestionEmbedding {
  vector: Float32Array;
  model: { id: number; dimensions: number; name: string };
}

type ServingModel = ServedState["model"];

/**
 * Embeds a question with the model that the environment chooses. Null when that model is unavailable.
 * @throws the reason of the signal when the caller gave up
 */
export async function embedByChosenModel(
  question: Question,
  { companyId, signal }: QueryOrigin,
): Promise<ChosenEmbedding | null> {
  // one time limit for everything that a provider is asked: an undescribed model has to report its dimensions first
  const deadline = performance.now() + budgets.query.deadlineMs;
  try {
    const model = await embedder();
    const timeoutMs = model.local ? undefined : Math.max(0, deadline - performance.now());
    return { vector: await embed(model, question, { companyId, signal, timeoutMs }), modelId: model.modelId };
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the embedding model is unavailable");
    return null;
  }
}

/**
 * Returns the question as a vector of the model that serves the company: the chosen one or, until a change of the model
 * is complete, the former one, because vectors of two models cannot be compared. Null when neither gives a vector;
 * retrieval then uses keywords only.
 * @throws the reason of the signal when the caller gave up
 */
export async function embedByServingModel(
  question: Question,
  serving: ServingModel,
  chosen: Promise<ChosenEmbedding | null>,
  origin: QueryOrigin,
): Promise<QuestionEmbedding | null> {
  if (!serving) return null;
  const embedded = await chosen;
  if (embedded?.modelId === serving.name) return { vector: embedded.vector, model: serving };
  try {
    const former = await formerEmbedder(serving.name);
    return former && { vector: await embed(former, question, origin), model: serving };
  } catch (error) {
    origin.signal?.throwIfAborted();
    log().warn({ err: error }, "the former embedding model is unavailable");
    return null;
  }
}

async function embed(model: Embedder, question: Question, origin: QueryOrigin): Promise<Float32Array> {
  const { count: countTokens } = await tokenizer();
  return model.embedQuery(condenseQuery(question, { maxTokens: model.windowTokens - 2, countTokens }), origin);
}

import type { Embedder, QueryOrigin } from "../ai/embedder.ts";
import { embedder, formerEmbedder, tokenizer } from "../ai/models.ts";
import { budgets } from "../ai/remote/resilience.ts";
import { log } from "../log.ts";
import { condenseQuery } from "./condense.ts";
import type { servingModel } from "./queries.ts";

/** As much of a question tells how well the model knows its words. */
const FERTILITY_SAMPLE_CHARS = 2_000;

/** A question, measured, and embedded or about to be. */
export interface Question {
  text: string;
  /** Wordpieces per word. */
  fertility: number;
  /** By the chosen model; null when that is away. */
  embedded: Promise<{ vector: Float32Array; modelId: string } | null>;
}

/** A question as a vector, of the model that serves the company. */
export interface Embedded {
  vector: Float32Array;
  model: { id: number; dimensions: number; name: string };
}

type Serving = Awaited<ReturnType<typeof servingModel>>;

/**
 * Begins to embed by the model that the environment chooses; that it is away is no error. A remote one is waited for, so
 * that no transaction is open meanwhile; a local one goes on beside the first steps of the search.
 */
export async function prepareQuestion(text: string, from: QueryOrigin = {}): Promise<Question> {
  const { pieces, words } = (await tokenizer()).fertility(text.slice(0, FERTILITY_SAMPLE_CHARS));
  const embedded = embedByChosen(text, from);
  // whoever needs it hears of a failure; a search that has failed before does not ask
  embedded.catch(() => undefined);
  if (!(await embedder().catch(() => null))?.local) await embedded;
  return { text, fertility: words > 0 ? pieces / words : 1, embedded };
}

async function embedByChosen(text: string, { companyId, signal }: QueryOrigin) {
  // for all that a provider is asked: a model that nobody described says its dimensions first
  const patience = AbortSignal.timeout(budgets.query.deadlineMs);
  try {
    const model = await embedder();
    const ends = model.local ? signal : AbortSignal.any(signal ? [signal, patience] : [patience]);
    return { vector: await embedBy(model, text, { companyId, signal: ends }), modelId: model.modelId };
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the embedding model is unavailable");
    return null;
  }
}

/**
 * The question as a vector of the model that serves the company, which for a while after a change is still the former
 * one: vectors of two models cannot be compared. Null when no model can give it; words alone decide then.
 */
export async function embeddedFor(question: Question, serving: Serving, from: QueryOrigin): Promise<Embedded | null> {
  if (!serving) return null;
  const { text } = question;
  const embedded = await question.embedded;
  if (embedded?.modelId === serving.name) return { vector: embedded.vector, model: serving };
  const former = await formerEmbedder(serving.name);
  return former && { vector: await embedBy(former, text, from), model: serving };
}

async function embedBy(model: Embedder, text: string, from: QueryOrigin) {
  const { count: countTokens } = await tokenizer();
  return model.embedQuery(condenseQuery(text, { maxTokens: model.windowTokens - 2, countTokens }), from);
}

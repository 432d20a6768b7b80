import { embedder, formerEmbedder, tokenizer } from "../ai/models.ts";
import { log } from "../log.ts";
import { condenseQuery } from "./condense.ts";
import type { servingModel } from "./queries.ts";
import type { SearchInput } from "./search.ts";

/** A question, measured and embedded before any transaction begins. */
export interface Question {
  text: string;
  /** Wordpieces per word. */
  fertility: number;
  /** By the chosen model; null while that is away. */
  embedded: { vector: Float32Array; modelId: string } | null;
}

type Serving = Awaited<ReturnType<typeof servingModel>>;

/** Embeds by the model that the environment chooses; that it is away is no error. */
export async function prepareQuestion(text: string, signal?: AbortSignal): Promise<Question> {
  const { pieces, words } = (await tokenizer()).fertility(text);
  const fertility = words > 0 ? pieces / words : 1;
  try {
    const model = await embedder();
    return { text, fertility, embedded: { vector: await embedBy(model, text, signal), modelId: model.modelId } };
  } catch (error) {
    signal?.throwIfAborted();
    log().warn({ err: error }, "the embedding model is away");
    return { text, fertility, embedded: null };
  }
}

/**
 * The question as a vector of the model that serves the company, which for a while after a change is still the former
 * one: vectors of two models cannot be compared. Null when no model can give it; words alone decide then.
 */
export async function embeddedFor(
  { text, embedded }: Question,
  serving: Serving,
  signal?: AbortSignal,
): Promise<SearchInput["embedded"]> {
  if (!serving) return null;
  if (embedded?.modelId === serving.name) return { vector: embedded.vector, model: serving };
  const former = await formerEmbedder(serving.name);
  return former && { vector: await embedBy(former, text, signal), model: serving };
}

async function embedBy(model: Awaited<ReturnType<typeof embedder>>, text: string, signal?: AbortSignal) {
  const { count: countTokens } = await tokenizer();
  return model.embedQuery(condenseQuery(text, { maxTokens: model.windowTokens - 2, countTokens }), signal);
}

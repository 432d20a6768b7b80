import { LRUCache } from "lru-cache";
import type { Embed } from "./evidence.ts";

/** About 3 kB each. */
const VECTORS_MAX = 4_000;
/** A longer text is rarely seen again. */
const TEXT_LENGTH_MAX = 700;

/** Embeds only texts that were not embedded lately: titles and sentences return from question to question. */
export function rememberVectors(embed: Embed): Embed {
  const known = new LRUCache<string, number[]>({ max: VECTORS_MAX });
  return async (texts, signal) => {
    const found = new Map(texts.map((text) => [text, known.get(text)]));
    const missing = [...found].flatMap(([text, vector]) => (vector === undefined ? [text] : []));
    const vectors = missing.length === 0 ? [] : await embed(missing, signal);
    for (const [index, text] of missing.entries()) {
      found.set(text, vectors[index]);
      const vector = vectors[index];
      if (vector && text.length <= TEXT_LENGTH_MAX) known.set(text, vector);
    }
    return texts.map((text) => found.get(text) ?? []);
  };
}

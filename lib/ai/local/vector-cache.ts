import { LRUCache } from "lru-cache";
import { companyTextKey } from "../company-text-key.ts";
import type { Embed } from "./evidence.ts";

/** Room for about 4,300 texts with 384 dimensions, of all companies: an answer or a rerank embeds about twelve texts. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** What the cache needs for a text beside the numbers of its vector. */
const ENTRY_BYTES = 400;

/** The embedding for a company; without one, nothing is cached. */
export type EmbedFor = (companyId?: string) => Embed;

/**
 * Embeds texts and caches their vectors for each company alone: a shared cache would reveal by its speed what another
 * company asked.
 */
export function cachedByCompany(embed: Embed, maxBytes = CACHE_BYTES): EmbedFor {
  const vectors = new LRUCache<string, Float32Array>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => byteLength + ENTRY_BYTES,
  });
  const embedFor = async (companyId: string, texts: string[], signal?: AbortSignal) => {
    const keys = texts.map((text) => companyTextKey(companyId, text));
    const known = new Map(keys.map((key) => [key, vectors.get(key)]));
    const missing = new Map(
      texts.flatMap((text, index): [string, string][] => {
        const key = keys[index] ?? "";
        return known.get(key) ? [] : [[key, text]];
      }),
    );
    const made = missing.size === 0 ? [] : await embed([...missing.values()], signal);
    for (const [index, key] of [...missing.keys()].entries()) {
      const vector = Float32Array.from(made[index] ?? []);
      known.set(key, vector);
      vectors.set(key, vector);
    }
    return keys.map((key) => Array.from(known.get(key) ?? []));
  };
  return (companyId) => (companyId === undefined ? embed : (texts, signal) => embedFor(companyId, texts, signal));
}

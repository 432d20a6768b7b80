import { hasOrders } from "../ai/local/instructions.ts";
import type { RetrievalTrace } from "../db/stored-json.ts";
import { detectLanguage } from "../language/language.ts";

/**
 * Marks the results of a trace whose text gives orders to an assistant. Only pages that show a trace call it, so that API
 * requests do not spend the time.
 * @param texts of the results; null for a text that is no longer stored
 */
export function markOrders(trace: RetrievalTrace, texts: { id: string; content: string | null }[]): RetrievalTrace {
  const ordering = new Set(texts.filter(({ content }) => content !== null && gives(content)).map(({ id }) => id));
  return {
    ...trace,
    results: trace.results.map((result) => (ordering.has(result.id) ? { ...result, hasOrders: true } : result)),
  };
}

function gives(content: string): boolean {
  return hasOrders(content, detectLanguage(content) ?? "en");
}

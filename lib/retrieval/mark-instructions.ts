import { hasInstructions } from "../ai/local/instructions.ts";
import type { RetrievalTrace } from "../db/stored-json.ts";
import { detectLanguage } from "../language/language.ts";

/**
 * Marks the results of a trace whose text gives instructions to an assistant. Only pages that show a trace call it, so
 * that API requests do not spend the time.
 * @param texts of the results; null for a text that is no longer stored
 */
export function markInstructions(
  trace: RetrievalTrace,
  texts: { id: string; content: string | null }[],
): RetrievalTrace {
  const instructing = new Set(
    texts.filter(({ content }) => content !== null && instructsAssistant(content)).map(({ id }) => id),
  );
  return {
    ...trace,
    results: trace.results.map((result) =>
      instructing.has(result.id) ? { ...result, hasInstructions: true } : result,
    ),
  };
}

function instructsAssistant(content: string): boolean {
  return hasInstructions(content, detectLanguage(content) ?? "en");
}

import type { Language } from "./function-words.ts";

const segmenters = new Map<Language | null, Intl.Segmenter>();

/**
 * Splits texts into sentences by the rules of Unicode. Made once for each language, because making one takes longer
 * than splitting a short paragraph.
 */
export function sentenceSegmenter(language: Language | null): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language ?? undefined, { granularity: "sentence" });
  segmenters.set(language, segmenter);
  return segmenter;
}

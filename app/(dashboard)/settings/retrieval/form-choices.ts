import { LANGUAGES } from "@/lib/languages.ts";
import { languageName, weightWords } from "@/lib/retrieval-settings/setting-words.ts";

const WEIGHTS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0];

export type FormChoices = ReturnType<typeof formChoices>;

/** The choices of the form in words. The browser would need zod for them. */
export function formChoices() {
  return {
    weights: WEIGHTS.map((value) => ({ value, words: weightWords(value) })),
    languages: LANGUAGES.map((id) => ({ id, name: languageName(id) })),
  };
}

import { tokenizer } from "../ai/models.ts";
import { detectLanguage, type Language } from "../language/language.ts";
import { contentWords } from "../language/tokens.ts";
import { glossOf } from "../language/translate.ts";
import { limitMarks } from "../normalize.ts";

/** The first characters are enough to measure how well the embedding model knows the words. */
const FERTILITY_SAMPLE_CHARS = 2_000;

/** The words of a question, as keyword search, reranking and highlighting use them. */
export interface QuestionWords {
  /** Null when the language is unclear. */
  language: Language | null;
  /** Content words, in order and in lower case, without the function words of the language. */
  words: string[];
}

/** A question, analyzed once for all stages of a retrieval. */
export interface Question extends QuestionWords {
  text: string;
  /** Wordpieces per word of the bundled model's tokenizer. */
  fertility: number;
  /**
   * Word by word in English, which the bundled model knows; null when it is English already, its language is unclear, or it
   * has only function words.
   */
  english: { text: string; fertility: number } | null;
}

/** Analyzes a question, with runs of combining marks limited for all stages that read its text. */
export async function analyzeQuestion(given: string): Promise<Question> {
  const text = limitMarks(given);
  const { language, words } = wordsOfQuestion(text);
  // empty when the question has only function words
  const english = language === null || language === "en" ? null : glossOf(text, language, "en") || null;
  const { fertility } = await tokenizer();
  function fertilityOf(sample: string): number {
    const { pieces, words } = fertility(sample.slice(0, FERTILITY_SAMPLE_CHARS));
    return words > 0 ? pieces / words : 1;
  }
  return {
    ...{ text, language, words },
    fertility: fertilityOf(text),
    english: english === null ? null : { text: english, fertility: fertilityOf(english) },
  };
}

export function wordsOfQuestion(text: string): QuestionWords {
  const language = detectLanguage(text);
  return { language, words: contentWords(text, language) };
}

import { detectLanguage } from "../language/language.ts";
import { contentWords, stemTokens, withoutFunctionWords } from "../language/tokens.ts";
import { translateWords } from "../language/translate.ts";
import type { QuestionWords } from "./question.ts";

const WRITTEN_WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text, as written there, whose stems match words of the question or their translations. */
export function matchedWords(question: QuestionWords, text: string): string[] {
  const language = detectLanguage(text);
  const translated = [...translateWords(question.words, question.language, language).values()].flat();
  const words = [
    ...withoutFunctionWords(question.words, language),
    ...translated.flatMap((word) => contentWords(word, language)),
  ];
  const asked = new Set(words.flatMap((word) => stemTokens(word, language)));
  const written = new Set(text.match(WRITTEN_WORD) ?? []);
  return [...written].filter((word) =>
    contentWords(word, language).some((plain) => stemTokens(plain, language).some((token) => asked.has(token))),
  );
}

import { detectLanguage } from "../language/language.ts";
import { contentWords, stemTokens, withoutFunctionWords } from "../language/tokens.ts";
import type { QuestionWords } from "./question.ts";

const WRITTEN_WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text, as written there, whose stems match words of the question. */
export function matchedWords(question: Pick<QuestionWords, "words">, text: string): string[] {
  const language = detectLanguage(text);
  const asked = new Set(withoutFunctionWords(question.words, language).flatMap((word) => stemTokens(word, language)));
  const written = new Set(text.match(WRITTEN_WORD) ?? []);
  return [...written].filter((word) =>
    contentWords(word, language).some((plain) => stemTokens(plain, language).some((token) => asked.has(token))),
  );
}

import { detectLanguage } from "../language/language.ts";
import { contentWords, stemTokens } from "../language/tokens.ts";

const WRITTEN_WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text, as written there, whose stems match words of the question. */
export function matchedWords(queryText: string, text: string): string[] {
  const language = detectLanguage(text);
  const ownWords = contentWords(queryText, detectLanguage(queryText)).join(" ");
  const asked = new Set(contentWords(ownWords, language).flatMap((word) => stemTokens(word, language)));
  const written = new Set(text.match(WRITTEN_WORD) ?? []);
  return [...written].filter((word) =>
    contentWords(word, language).some((plain) => stemTokens(plain, language).some((token) => asked.has(token))),
  );
}

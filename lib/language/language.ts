import { eld } from "eld/extrasmall";
import { FUNCTION_WORDS, LANGUAGES, type Language } from "./function-words.ts";

export { LANGUAGES, type Language };

const TEXT_LENGTH_MAX = 1000;
const VOTE_WEIGHT = 1.5;
const MARGIN_MIN = { withVotes: 0.03, withoutVotes: 0.12 };
/** How far a language outside `LANGUAGES` must lead by n-grams to be accepted as the language of the text. */
const FOREIGN_LEAD = 0.1;

/**
 * Detects the language of a text among `LANGUAGES`. Reads the first 1,000 characters.
 * @returns null when the language is not among them or is ambiguous (a product code, a word that several languages share)
 *
 * Letter n-grams (eld) decide for long texts. A question of five words has few n-grams but usually a function word, so the
 * share of function words is added to the n-gram score.
 */
export function detectLanguage(text: string): Language | null {
  const sample = text.slice(0, TEXT_LENGTH_MAX);
  const tokens = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (!isMostlyLatin(tokens)) return null;

  const votes = functionWordVotes(tokens);
  const ngrams = eld.detect(sample).getScores();
  const ranked = LANGUAGES.map((language) => ({
    language,
    score: (ngrams[language] ?? 0) + (VOTE_WEIGHT * votes[language]) / tokens.length,
  })).sort((a, b) => b.score - a.score);
  const [best, second] = ranked;
  if (best === undefined || second === undefined) return null;

  const foreign = Math.max(...Object.values(ngrams), 0);
  if (foreign - best.score > FOREIGN_LEAD) return null;
  const margin = votes[best.language] > 0 ? MARGIN_MIN.withVotes : MARGIN_MIN.withoutVotes;
  return best.score - second.score >= margin ? best.language : null;
}

function isMostlyLatin(tokens: string[]): boolean {
  const latin = tokens.filter((token) => /^\p{Script=Latin}/u.test(token)).length;
  return latin > tokens.length / 2;
}

/**
 * Counts the function words of each language among the tokens. A word of several languages counts a fraction for each.
 */
function functionWordVotes(tokens: string[]): Record<Language, number> {
  const votes: Record<Language, number> = { en: 0, it: 0, es: 0, de: 0, fr: 0, pt: 0, nl: 0 };
  for (const token of tokens) {
    const languages = LANGUAGES.filter((language) => FUNCTION_WORDS[language].has(token));
    for (const language of languages) votes[language] += 1 / languages.length;
  }
  return votes;
}

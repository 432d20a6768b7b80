import type { RetrievalSettings } from "../db/stored-json.ts";
import type { Language } from "../languages.ts";
import { toForm } from "./schema.ts";

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language" });

/** The settings in words, one entry each. Pure. */
export function settingWords(settings: RetrievalSettings) {
  const { useRerank, scoreThreshold, vectorWeight, refusalText, answerStyle, answerLanguage } = toForm(settings);
  return {
    useRerank: useRerank ? "on" : "off",
    scoreThreshold: String(scoreThreshold),
    vectorWeight: vectorWeight === null ? "automatic" : weightWords(vectorWeight),
    refusalText: refusalText === "" ? "standard" : `“${refusalText}”`,
    answerStyle,
    answerLanguage: answerLanguage === "automatic" ? "the question's" : languageName(answerLanguage),
  };
}

/** The English name of a language, such as "German". */
export function languageName(language: Language): string {
  return LANGUAGE_NAMES.of(language) ?? language;
}

/** @param vectorWeight from 0 to 1 */
export function weightWords(vectorWeight: number): string {
  const percent = Math.round(100 * vectorWeight);
  return `${percent}% vector, ${100 - percent}% keyword`;
}

/** What differs between two settings, in words: for the audit log. */
export function changedWords(before: RetrievalSettings, after: RetrievalSettings) {
  const old = new Map(Object.entries(settingWords(before)));
  const changed = Object.entries(settingWords(after)).filter(([name, words]) => old.get(name) !== words);
  return Object.fromEntries(changed.map(([name, to]) => [name, { from: old.get(name), to }]));
}

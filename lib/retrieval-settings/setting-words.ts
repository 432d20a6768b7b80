import type { RetrievalSettings } from "../db/stored-json.ts";
import type { Language } from "../languages.ts";
import { toForm } from "./schema.ts";

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language" });

interface SettingWords {
  /** As in the settings. */
  name: keyof RetrievalSettings;
  label: string;
  value: string;
}

/** Every setting in words. */
export function settingWords(settings: RetrievalSettings): SettingWords[] {
  const { useRerank, scoreThreshold, vectorWeight, refusalText, answerStyle, answerLanguage } = toForm(settings);
  return [
    { name: "useRerank", label: "Rerank by default", value: useRerank ? "on" : "off" },
    { name: "scoreThreshold", label: "Score threshold by default", value: String(scoreThreshold) },
    {
      name: "vectorWeight",
      label: "Vector and keyword search",
      value: vectorWeight === null ? "automatic" : weightWords(vectorWeight),
    },
    { name: "answerStyle", label: "Answer style", value: answerStyle },
    {
      name: "answerLanguage",
      label: "Answer language",
      value: answerLanguage === "automatic" ? "the question's" : languageName(answerLanguage),
    },
    { name: "refusalText", label: "Refusal text", value: refusalText === "" ? "standard" : `“${refusalText}”` },
  ];
}

/** The settings that are not Ragstone's defaults, as `label: value`. */
export function ownSettingWords(settings: RetrievalSettings): string[] {
  const own = changedWords({}, settings);
  return settingWords(settings).flatMap(({ name, label, value }) => (name in own ? `${label}: ${value}` : []));
}

/** What differs between two settings, in words: for the audit log. */
export function changedWords(before: RetrievalSettings, after: RetrievalSettings) {
  const old = new Map(settingWords(before).map(({ name, value }) => [name, value]));
  const changed = settingWords(after).filter(({ name, value }) => old.get(name) !== value);
  return Object.fromEntries(changed.map(({ name, value }) => [name, { from: old.get(name), to: value }]));
}

/** What differs between two settings, as `label: before → after`. */
export function changeList(before: RetrievalSettings, after: RetrievalSettings): string[] {
  const changed = new Map(Object.entries(changedWords(before, after)));
  return settingWords(after).flatMap(({ name, label }) => {
    const change = changed.get(name);
    return change ? `${label}: ${change.from} → ${change.to}` : [];
  });
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

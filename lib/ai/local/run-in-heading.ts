import type { Language } from "../../language/function-words.ts";

const WORDS_MAX = 5;
const LENGTH_MAX = 60;

/** Finite verbs and pronouns that a sentence has and a heading has not. */
const SENTENCE_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words(
    "is are was were be has have had do does did can could may might must shall should will would i you he it we they",
  ),
  it: words("è sono era erano ha hanno può possono deve devono va vanno viene vengono sarà costa dura si non"),
  es: words("es son está están era fue ha han puede pueden debe deben tiene hay cuesta dura se no"),
  de: words("ist sind war waren hat haben kann können darf muss müssen soll wird werden gilt kostet ich sie er es wir"),
  fr: words("est sont était a ont peut peuvent doit doivent sera coûte je il elle nous vous"),
  pt: words("é são está foi tem pode podem deve devem custa dura se não"),
  nl: words("is zijn was heeft hebben kan mag moet wordt worden kost ik je hij het we"),
};

/**
 * Whether a paragraph's first sentence is only the heading of the next one, as in "Governing law. This agreement is …".
 * A short sentence without a verb counts as one, since it says nothing alone.
 */
export function isRunInHeading(sentence: string, language: Language): boolean {
  if (sentence.length > LENGTH_MAX || !/^[\p{Lu}\p{N}(].*\.$/u.test(sentence)) return false;
  const parts = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.length <= WORDS_MAX && !parts.some((part) => SENTENCE_WORDS[language].has(part));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

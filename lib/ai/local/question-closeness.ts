import type { Language } from "../../language/function-words.ts";
import { contentWords } from "../../language/tokens.ts";
import { normalize } from "../../normalize.ts";
import { questionType } from "./question-type.ts";
import { termMatcher, termsOf } from "./terms.ts";

/** Closeness that two questions lose for each content word that only one of them has. */
const UNMATCHED_WORD = 0.08;

/**
 * Closeness from which two questions ask the same: both have the same content words. On the questions of
 * bench/verified-answers, no near-miss reaches it, and 53% of the paraphrases do.
 */
export const SAME_QUESTION_CLOSENESS = 1 - UNMATCHED_WORD;

/** People do not repeat a longer text as a question in other words. */
export const COMPARED_CHARACTERS_MAX = 500;

/** Function words that turn a question into another one, which the embedding model hardly notices. */
const TURNING_WORDS = [
  `not no never none nothing nicht kein keine keinen keinem keiner keines nie niemals nichts non nessun nessuno nessuna
  niente mai sin ningún ninguna nada nunca sans pas aucun aucune rien jamais sem não nenhum nenhuma niet geen niets nooit`,
  "without ohne senza",
  "why warum wieso perché perche pourquoi waarom",
  "who whom whose wer wen wem chi quién quien qui wie",
  "where wo dove dónde où waar",
  "from aus desde vanuit depuis",
  "off ab weg",
  "out",
  "down",
  "before vor prima antes avant voor",
  "after nach dopo después après na",
  "during während durante pendant tijdens",
  "under below unter sotto bajo sous onder",
  "over above über sopra sobre",
  "more mehr più más plus meer",
  "less weniger meno menos moins minder",
].map((words) => new Set(words.split(/\s+/)));

/** Words that say which of two things comes first, as in "PDF to Word". */
const DIRECTIONS = new Set("to into from than nach zu von als".split(" "));
const SPEAKER = new Set("i me my mine we us our ours ich mir mich mein meine meinen wir uns unser unsere".split(" "));
const LISTENER = new Set("you your yours du dir dich dein deine ihr euch euer sie ihnen ihre ihren".split(" "));

const APOSTROPHE = /[’‘ʼ`´＇]/gu;
/** Negated verbs, which are as often written without an apostrophe. */
const NEGATED =
  /\b(?:can(?:'?t|not)|(wo|do|does|did|is|ai|are|was|were|has|have|had|would|could|should|sha|must|might|need)n'?t)\b/g;
/** A word or number with its signs, as in C++, .NET and -5, or a sign such as € and %. */
const WORD = /(?:(?<=^|[\s(])(?:[-−–](?=\p{N})|\.(?=\p{L})))?[\p{L}\p{N}\p{M}]+[+#]*|[\p{Sc}\p{Sm}%‰°]/gu;
const NOT_ONLY_LETTERS = /[^\p{L}\p{M}]/u;

interface Compared {
  question: string;
  /** Null when the language is unclear. */
  language: Language | null;
}

/**
 * How closely a question asks the same as a stored phrasing: the cosine of their vectors, less a share for each content
 * word that only one of them has. 0 when a number, a sign, a negation or the kind of fact asked for differs.
 * @param cosine of the two texts, by the bundled model
 * @returns at most 1; it can be below 0
 */
export function questionCloseness({ question, language }: Compared, phrasing: string, cosine: number): number {
  const asked = shapeOf(question, language);
  const stored = shapeOf(phrasing, language);
  if (asked.text === stored.text) return 1;
  const differs =
    asked.exact !== stored.exact ||
    asked.turns !== stored.turns ||
    (asked.type && stored.type && asked.type !== stored.type) ||
    (asked.speaksFirst !== null && stored.speaksFirst !== null && asked.speaksFirst !== stored.speaksFirst) ||
    [...asked.directions].some(([word, next]) => (stored.directions.get(word) ?? next) !== next);
  if (differs) return 0;
  const unmatched = unmatchedTerms(asked.terms, stored.terms) + unmatchedTerms(stored.terms, asked.terms);
  return cosine - UNMATCHED_WORD * unmatched;
}

function shapeOf(question: string, language: Language | null) {
  const text = spelledOut(question, language);
  const words = text.match(WORD) ?? [];
  return {
    text: words.join(" "),
    exact: words
      .filter((word) => NOT_ONLY_LETTERS.test(word))
      .toSorted()
      .join(" "),
    turns: TURNING_WORDS.map((each) => words.some((word) => each.has(word))).join(),
    type: questionType(text),
    terms: language === null ? new Set(contentWords(text, null)) : termsOf(text, language),
    speaksFirst: speaksFirst(words),
    directions: directionsOf(words, new Set(contentWords(text, language))),
  };
}

/** The question in lower case, with "can not" for "can’t", "cant" and "cannot", and with "and" for "&". */
function spelledOut(question: string, language: Language | null): string {
  return normalize(question.replaceAll(APOSTROPHE, "'"), "NFC")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replaceAll(NEGATED, (form, verb = "can") => {
      // "of which" in French
      if (form === "dont" && language === "fr") return form;
      return `${verb === "wo" ? "will" : verb} not`;
    });
}

function unmatchedTerms(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return terms.size - termMatcher(terms)(others).size;
}

/** Whether the speaker is named before the listener; null when only one of them is. */
function speaksFirst(words: string[]): boolean | null {
  const speaker = words.findIndex((word) => SPEAKER.has(word));
  const listener = words.findIndex((word) => LISTENER.has(word));
  return speaker === -1 || listener === -1 ? null : speaker < listener;
}

/** The content word after each word of direction. */
function directionsOf(words: string[], content: ReadonlySet<string>): Map<string, string> {
  return new Map(
    words.flatMap((word, index) => {
      const next = DIRECTIONS.has(word) && words.slice(index + 1).find((other) => content.has(other));
      return next ? [[word, next] as const] : [];
    }),
  );
}

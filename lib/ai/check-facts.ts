import { detectLanguage, type Language } from "../language/language.ts";
import { outdatedChunks } from "../language/versions.ts";
import { citedNumbers } from "./citations.ts";
import type { ContextChunk } from "./context-chunk.ts";
import { factsOf, readableFacts } from "./facts.ts";
import { answerLanguage, refusal } from "./local/answer-phrases.ts";
import { sentencesOf } from "./local/sentences.ts";
import { termsOf } from "./local/terms.ts";
import { isNameWithNumber } from "./names-with-numbers.ts";
import { splitSentences } from "./sentence-end.ts";

/** The part of a sentence that the cited chunks do not state. */
export type Unsupported = "number" | "date" | "name" | "negation";

interface FactCheck {
  text: string;
  /** One entry for each sentence that was dropped. */
  dropped: Unsupported[];
}

interface Evidence {
  question: string;
  /** Null when it is unclear. */
  language: Language | null;
  /** The chunks that the model was given: `[1]` is the first. */
  chunks: readonly ContextChunk[];
  /** Names of the client and the company and their products, which an answer may repeat. */
  names: readonly string[];
}

const CITATION = /\s{0,3}\[\d{1,3}\]/g;
const NEGATION: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:not|no|never|cannot|none|neither|nor)\b|n['’]t\b/iu,
  it: /(?<!\p{L})(?:non|nessun[oa]?|mai|né)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:no|nunca|ning[uú]n[oa]?|jamás)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:nicht|kein\p{L}*|nie|niemals)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:ne|pas|aucune?|jamais)(?!\p{L})|(?<!\p{L})n['’]/iu,
  pt: /(?<!\p{L})(?:não|nunca|nenhuma?|jamais)(?!\p{L})/iu,
  nl: /(?<!\p{L})(?:niet|geen|nooit)(?!\p{L})/iu,
};
/** "No, …" answers a question and negates nothing. */
const YES_NO = /^[\s*_-]*(?:yes|no|sì|sí|ja|nein|nee|oui|non|sim|não)[,.:;!–—-]/iu;
/** Minimum shares of common terms for two sentences to make the same statement. */
const SAME = { claim: 0.7, source: 0.5 };
const TERMS_MIN = 2;
/** Minimum number of words to be sure of the language of an answer. */
const LANGUAGE_WORDS_MIN = 6;
const NAME = /(?<=[\p{L}\p{N},;)] )\p{Lu}[\p{L}\p{N}'’-]*\p{L}/gu;
const ANOTHER_SAYS: Readonly<Record<Language, string>> = {
  en: "Another source says:",
  it: "Un’altra fonte dice:",
  es: "Otra fuente dice:",
  de: "Eine andere Quelle sagt:",
  fr: "Une autre source dit :",
  pt: "Outra fonte diz:",
  nl: "Een andere bron zegt:",
};

/**
 * Returns a function that drops the sentences of a generated answer whose numbers, dates, names or negations are not in
 * the chunks that they cite, or in any chunk when they cite none. When no cited sentence is left, the answer is the
 * refusal. It takes text with valid citations, and whether the text is the whole answer: then a chunk that contradicts a
 * sentence is quoted beside it. Each sentence is checked once, however often the text grows.
 */
export function factChecker(evidence: Evidence): (answer: string, isWhole: boolean) => FactCheck {
  const known = new Map<string, Unsupported | null>();
  const lackingIn = (sentence: string) => {
    const seen = known.get(sentence);
    if (seen !== undefined) return seen;
    const lacking = unsupportedIn(sentence, evidence);
    known.set(sentence, lacking);
    return lacking;
  };
  return (answer, isWhole) => {
    const sentences = splitSentences(answer);
    const kept = sentences.filter((sentence) => lackingIn(sentence) === null);
    const dropped = sentences.map(lackingIn).filter((lacking) => lacking !== null);
    const text = kept.join("").trim();
    if (!isWhole) return { text, dropped };
    const isLost = dropped.length > 0 && citedNumbers(text).length === 0;
    if (isLost) return { text: refusal(answerLanguage(evidence.language)), dropped };
    return { text: text + contradictionOf(kept, evidence), dropped };
  };
}

function unsupportedIn(sentence: string, { question, chunks, names }: Evidence): Unsupported | null {
  const claim = sentence.replaceAll(CITATION, "").replace(/^\s*(?:\d{1,3}[.)]|[-*•])\s+/u, "");
  const cited = citedNumbers(sentence).flatMap((number) => chunks[number - 1] ?? []);
  const sources = cited.length > 0 ? cited : chunks;
  const text = sources.map(textOf).join("\n");
  const stated = readableFacts(text);
  const claimed = factsOf(withoutNames(claim, names));

  const isStated = (readings: string[]) => readings.some((reading) => stated.numbers.has(reading));
  const missing = claimed.numbers.filter((readings) => !isStated(readings));
  const language = detectLanguage(claim);
  const isNegated = language !== null && NEGATION[language].test(claim);
  const asked = readableFacts(question).numbers;
  const isRepeated = claimed.numbers.some(isStated) || isNegated;
  if (missing.some((readings) => !isRepeated || !readings.some((reading) => asked.has(reading)))) return "number";
  if (claimed.days.some((day) => !stated.days.has(day))) return "date";

  const isSameLanguage = language !== null && sources.some(({ content }) => detectLanguage(content) === language);
  if (!isSameLanguage) return null;
  // German writes all nouns like names
  if (language !== "de" && hasUnknownName(claim, [text, question, ...names].join("\n"))) return "name";
  return contradictsNegation(claim, sources, language) ? "negation" : null;
}

function textOf({ title, path, content }: ContextChunk): string {
  return [title, ...path, content].join("\n");
}

/** Without names with numbers, such as "Fibra 1000". */
function withoutNames(claim: string, names: readonly string[]): string {
  return names.filter(isNameWithNumber).reduce((text, name) => text.replaceAll(name, ""), claim);
}

function hasUnknownName(claim: string, known: string): boolean {
  const words = new Set(known.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return (claim.match(NAME) ?? [])
    .filter((name) => factsOf(name).days.length === 0)
    .some((name) =>
      (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).some((part) => part.length > 1 && !words.has(part)),
    );
}

/** Whether the chunks contain the sentence only with the opposite negation. */
function contradictsNegation(claim: string, chunks: readonly ContextChunk[], language: Language): boolean {
  const negation = NEGATION[language];
  const isNegated = negation.test(claim.replace(YES_NO, ""));
  const terms = termsOf(claim, language);
  if (terms.size < TERMS_MIN) return false;
  const same = chunks
    .flatMap(({ content }) => statementsOf(content, language))
    .filter((text) => isSame(terms, text, language));
  return same.length > 0 && same.every((text) => negation.test(text.replace(YES_NO, "")) !== isNegated);
}

function statementsOf(content: string, language: Language): string[] {
  return content.split("\n").flatMap((line) => sentencesOf(line, language));
}

/** Whether a sentence has nearly the same terms, apart from numbers. */
function isSame(terms: ReadonlySet<string>, text: string, language: Language): boolean {
  const words = (all: ReadonlySet<string>) => [...all].filter((term) => !/\p{N}/u.test(term));
  const [claim, source] = [words(terms), words(termsOf(text, language))];
  const common = claim.filter((term) => source.includes(term)).length;
  return common >= SAME.claim * claim.length && common >= SAME.source * source.length && common >= 2;
}

/** A quotation of the first chunk that states another number than a sentence, unless one of them is outdated. */
function contradictionOf(sentences: readonly string[], { chunks }: Evidence): string {
  const outdated = outdatedChunks(chunks);
  const cited = new Set(citedNumbers(sentences.join("")));
  for (const sentence of sentences) {
    const claim = sentence.replaceAll(CITATION, "");
    const language = detectLanguage(claim);
    const { numbers } = factsOf(claim);
    if (language === null || numbers.length === 0 || citedNumbers(sentence).some((number) => outdated.has(number - 1)))
      continue;
    const terms = termsOf(claim, language);
    for (const [index, chunk] of chunks.entries()) {
      if (cited.has(index + 1) || outdated.has(index)) continue;
      const other = statementsOf(chunk.content, language).find((text) => {
        const stated = readableFacts(text).numbers;
        const isOther = stated.size > 0 && !numbers.some((readings) => readings.some((reading) => stated.has(reading)));
        return isOther && isSame(terms, text, language);
      });
      if (other !== undefined) return `\n${ANOTHER_SAYS[language]} “${other.replaceAll(/[[\]]/g, "")}” [${index + 1}]`;
    }
  }
  return "";
}

/**
 * Whether an answer is in another language than the question, although a chunk that it cites is in the question's. Short
 * answers do not tell.
 */
export function isInOtherLanguage(
  answer: string,
  { language, chunks }: Pick<Evidence, "language" | "chunks">,
): boolean {
  const plain = answer.replaceAll(CITATION, "");
  if (language === null || (plain.match(/\p{L}+/gu) ?? []).length < LANGUAGE_WORDS_MIN) return false;
  const own = detectLanguage(plain);
  if (own === null || own === language) return false;
  return citedNumbers(answer).some((number) => detectLanguage(chunks[number - 1]?.content ?? "") === language);
}

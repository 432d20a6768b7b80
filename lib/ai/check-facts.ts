import { detectLanguage, type Language } from "../language/language.ts";
import { outdatedChunks } from "../language/versions.ts";
import { once } from "../once.ts";
import type { ContextChunk } from "./context-chunk.ts";
import { factsOf, readableFacts } from "./facts.ts";
import { citedNumbers, findCitations, removeCitations } from "./find-citations.ts";
import { answerLanguage, refusal } from "./local/answer-phrases.ts";
import { sentenceContinues } from "./local/sentences.ts";
import { termsOf } from "./local/terms.ts";
import { isNameWithNumber } from "./names-with-numbers.ts";
import { type ReadSource, readSource, wordSetOf, wordTermsOf } from "./read-source.ts";
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
  const read = readEvidence(evidence);
  const known = new Map<string, Unsupported | null>();
  const lackingIn = (sentence: Sentence) => {
    const key = JSON.stringify([sentence.claim, sentence.cited]);
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    const lacking = unsupportedIn(sentence, read);
    known.set(key, lacking);
    return lacking;
  };
  return (answer, isWhole) => {
    const sentences = readSentences(answer, evidence.language);
    const kept = sentences.filter((sentence) => lackingIn(sentence) === null);
    const dropped = sentences.map(lackingIn).filter((lacking) => lacking !== null);
    const text = kept
      .map((sentence) => sentence.text)
      .join("")
      .trim();
    if (!isWhole) return { text, dropped };
    const isLost = dropped.length > 0 && citedNumbers(text).length === 0;
    if (isLost) return { text: refusal(answerLanguage(evidence.language)), dropped };
    return { text: text + contradictionOf(kept, read), dropped };
  };
}

interface Sentence {
  text: string;
  /** The text without its citations. */
  claim: string;
  cited: readonly number[];
}

/** Finds citations in the whole answer, because code may begin in one sentence and end in another. */
function readSentences(answer: string, language: Language | null): Sentence[] {
  const citations = findCitations(answer);
  let end = 0;
  let next = 0;
  return rejoin(splitSentences(answer), language).map((text) => {
    const start = end;
    const first = next;
    end += text.length;
    for (let citation = citations[next]; citation && citation.start < end; citation = citations[next]) next++;
    const own = citations.slice(first, next);
    const ranges = own.map((citation) => ({ start: citation.start - start, end: citation.end - start }));
    return { text, claim: removeCitations(text, ranges), cited: own.map(({ number }) => number) };
  });
}

/** Joins what was cut after an abbreviation or a day, so that no half of a sentence is left when the other is dropped. */
function rejoin(parts: readonly string[], language: Language | null): string[] {
  const sentences: string[] = [];
  let rest = "";
  for (const [index, part] of parts.entries()) {
    rest += part;
    const next = parts[index + 1];
    if (next !== undefined && /\.[^\S\n]{1,9}$/.test(part) && sentenceContinues(part, next, language)) continue;
    sentences.push(rest);
    rest = "";
  }
  return sentences;
}

/** The evidence as all sentences are compared with it. */
interface ReadEvidence {
  sources: readonly ReadSource[];
  outdated: () => ReadonlySet<number>;
  /** The numbers of the question. */
  asked: ReadonlySet<string>;
  /** The words of the question and the names. */
  words: ReadonlySet<string>;
  /** Names such as "Fibra 1000". */
  numberedNames: readonly string[];
}

function readEvidence({ question, chunks, names }: Evidence): ReadEvidence {
  return {
    sources: chunks.map(readSource),
    outdated: once(() => outdatedChunks(chunks)),
    asked: readableFacts(question).numbers,
    words: wordSetOf([question, ...names].join("\n")),
    numberedNames: names.filter(isNameWithNumber),
  };
}

function unsupportedIn(sentence: Sentence, evidence: ReadEvidence): Unsupported | null {
  const claim = sentence.claim.replace(/^\s*(?:\d{1,3}[.)]|[-*•])\s+/u, "");
  const cited = sentence.cited.flatMap((number) => evidence.sources[number - 1] ?? []);
  const sources = cited.length > 0 ? cited : evidence.sources;
  const claimed = factsOf(evidence.numberedNames.reduce((text, name) => text.replaceAll(name, ""), claim));

  const isStated = (readings: string[]) =>
    sources.some(({ facts }) => readings.some((reading) => facts().numbers.has(reading)));
  const missing = claimed.numbers.filter((readings) => !isStated(readings));
  const language = detectLanguage(claim);
  const isNegated = language !== null && NEGATION[language].test(claim);
  const isRepeated = claimed.numbers.some(isStated) || isNegated;
  if (missing.some((readings) => !isRepeated || !readings.some((reading) => evidence.asked.has(reading))))
    return "number";
  if (claimed.days.some((day) => !sources.some(({ facts }) => facts().days.has(day)))) return "date";

  if (language === null || !sources.some((source) => source.language() === language)) return null;
  // German writes all nouns like names
  if (language !== "de" && hasUnknownName(claim, [evidence.words, ...sources.map(({ words }) => words())]))
    return "name";
  return contradictsNegation(claim, sources, language) ? "negation" : null;
}

function hasUnknownName(claim: string, known: readonly ReadonlySet<string>[]): boolean {
  const isKnown = (part: string) => part.length <= 1 || known.some((words) => words.has(part));
  return (claim.match(NAME) ?? [])
    .filter((name) => factsOf(name).days.length === 0)
    .some((name) => ![...wordSetOf(name)].every(isKnown));
}

/** Whether the sources contain the sentence only with the opposite negation. */
function contradictsNegation(claim: string, sources: readonly ReadSource[], language: Language): boolean {
  const negation = NEGATION[language];
  const isNegated = negation.test(claim.replace(YES_NO, ""));
  if (termsOf(claim, language).size < TERMS_MIN) return false;
  const terms = wordTermsOf(claim, language);
  const same = sources.flatMap(({ statements }) => statements(language)).filter((each) => isSame(terms, each.terms));
  return same.length > 0 && same.every(({ text }) => negation.test(text.replace(YES_NO, "")) !== isNegated);
}

/** Whether two sentences have nearly the same terms, apart from numbers. */
function isSame(claim: ReadonlySet<string>, source: ReadonlySet<string>): boolean {
  const common = claim.intersection(source).size;
  return common >= SAME.claim * claim.size && common >= SAME.source * source.size && common >= TERMS_MIN;
}

/** A quotation of the first chunk that states another number than a sentence, unless one of them is outdated. */
function contradictionOf(sentences: readonly Sentence[], { sources, outdated }: ReadEvidence): string {
  const allCited = new Set(sentences.flatMap(({ cited }) => cited));
  for (const { claim, cited } of sentences) {
    const language = detectLanguage(claim);
    const { numbers } = factsOf(claim);
    if (language === null || numbers.length === 0 || cited.some((number) => outdated().has(number - 1))) continue;
    const terms = wordTermsOf(claim, language);
    for (const [index, { statements }] of sources.entries()) {
      if (allCited.has(index + 1) || outdated().has(index)) continue;
      const other = statements(language).find((each) => {
        const isShared = numbers.some((readings) => readings.some((reading) => each.numbers.has(reading)));
        return each.numbers.size > 0 && !isShared && isSame(terms, each.terms);
      });
      // its brackets could read as citations
      if (other) return `\n${ANOTHER_SAYS[language]} “${other.text.replaceAll(/[[\]【】]/g, "")}” [${index + 1}]`;
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
  const plain = removeCitations(answer);
  if (language === null || (plain.match(/\p{L}+/gu) ?? []).length < LANGUAGE_WORDS_MIN) return false;
  const own = detectLanguage(plain);
  if (own === null || own === language) return false;
  return citedNumbers(answer).some((number) => detectLanguage(chunks[number - 1]?.content ?? "") === language);
}

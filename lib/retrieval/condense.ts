import type { Language } from "../language/language.ts";
import { sentenceSegmenter } from "../language/sentence-segmenter.ts";
import { contentWords, stemTokens } from "../language/tokens.ts";
import type { Question } from "./question.ts";

const QUESTION_MARK = /[?？؟]/;
const IDENTIFIER = /\p{N}/u;
const IDENTIFIER_WEIGHT = 2;
/** Every sentence is compared with all others, so a text with more sentences is split into groups of neighbours instead. */
const SENTENCES_MAX = 500;

interface Limits {
  maxTokens: number;
  /** May stop counting above `most`. */
  countTokens: (text: string, most?: number) => number;
}

interface Sentence {
  text: string;
  tokens: number;
  terms: string[];
  /** Total weight of the terms that no kept sentence has, per token. */
  gain: number;
}

/**
 * Drops whole sentences from a question that is too long for the embedding model. A text that fits is returned
 * unchanged. `countTokens` counts tokens as the model does; the result has at most `maxTokens`.
 *
 * The last question is always kept. Then sentences are added in the order of how many frequent terms they contribute per
 * token, with codes and numbers counting double (greedy coverage, as in Lin and Bilmes 2010). The kept sentences stay in
 * the order of the text. Deterministic, without any call to a model.
 */
export function condenseQuery({ text, language }: Pick<Question, "text" | "language">, limits: Limits): string {
  if (fits(text, limits)) return text;
  const sentences = splitSentences(text, language, limits);
  const cover = coverageOf(sentences);
  const kept = new Set<Sentence>();
  let budget = limits.maxTokens;
  let open = sentences;

  let next = lastQuestion(sentences);
  while (next !== undefined) {
    kept.add(next);
    budget -= next.tokens;
    cover(next);
    open = open.filter(({ gain, tokens }) => gain > 0 && tokens <= budget);
    next = best(open);
  }
  const condensed = sentences.filter((sentence) => kept.has(sentence)).map((sentence) => sentence.text);
  const joined = condensed.join(" ");
  return fits(joined, limits) ? joined : longestStart(joined, limits);
}

/** Sentences of the text with their distinct terms. A sentence that exceeds the limit on its own is cut. */
function splitSentences(text: string, language: Language | null, limits: Limits): Sentence[] {
  const segments = Array.from(sentenceSegmenter(language).segment(text), ({ segment }) => segment);
  return joinSegments(segments, text.length / SENTENCES_MAX)
    .map((segment) => fitSentence(segment.trim(), limits))
    .filter((sentence) => sentence.text !== "")
    .map((sentence) => ({
      ...sentence,
      terms: [...new Set(contentWords(sentence.text, language).flatMap((word) => stemTokens(word, language)))],
      gain: 0,
    }));
}

/** Weight of each term: the logarithm of how many sentences use it, doubled for codes and numbers. */
function termWeights(sentences: Sentence[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const term of sentences.flatMap(({ terms }) => terms)) uses.set(term, (uses.get(term) ?? 0) + 1);
  return new Map(
    [...uses].map(([term, count]) => [term, Math.log1p(count) * (IDENTIFIER.test(term) ? IDENTIFIER_WEIGHT : 1)]),
  );
}

/**
 * Sets the gain of every sentence.
 * @returns a function that takes a kept sentence and lowers the gain of the sentences that share its terms
 */
function coverageOf(sentences: Sentence[]): (covered: Sentence) => void {
  const missing = termWeights(sentences);
  const holders = new Map<string, Sentence[]>();
  function weigh(sentence: Sentence): void {
    sentence.gain = sentence.terms.reduce((sum, term) => sum + (missing.get(term) ?? 0), 0) / sentence.tokens;
  }
  for (const sentence of sentences) {
    weigh(sentence);
    for (const term of sentence.terms) {
      const others = holders.get(term);
      if (others) others.push(sentence);
      else holders.set(term, [sentence]);
    }
  }
  return ({ terms }) => {
    const sharing = new Set(terms.flatMap((term) => (missing.delete(term) ? (holders.get(term) ?? []) : [])));
    for (const sentence of sharing) weigh(sentence);
  };
}

function lastQuestion(sentences: Sentence[]): Sentence | undefined {
  return sentences.findLast(({ text }) => endsAsQuestion(text)) ?? sentences.at(-1);
}

function endsAsQuestion(text: string): boolean {
  return QUESTION_MARK.test(text.split(/\p{L}/u).at(-1) ?? "");
}

/** The sentence with the highest gain; the earliest one on a tie. */
function best([first, ...rest]: Sentence[]): Sentence | undefined {
  return first && rest.reduce((most, sentence) => (sentence.gain > most.gain ? sentence : most), first);
}

/** Merges neighbouring segments to at least `least` characters each when there are too many of them. */
function joinSegments(segments: string[], least: number): string[] {
  if (segments.length <= SENTENCES_MAX) return segments;
  const groups: string[] = [];
  let group = "";
  for (const segment of segments) {
    group += segment;
    if (group.length < least) continue;
    groups.push(group);
    group = "";
  }
  return group === "" ? groups : [...groups, group];
}

/** A sentence, cut if it is too long, and its length in tokens. */
function fitSentence(sentence: string, limits: Limits): Pick<Sentence, "text" | "tokens"> {
  const whole = limits.countTokens(sentence, limits.maxTokens);
  const text = whole <= limits.maxTokens ? sentence : longestStart(sentence, limits);
  const tokens = text === sentence ? whole : limits.countTokens(text);
  return { text, tokens: Math.max(1, tokens) };
}

/** The longest start that fits, of a text that is too long. It ends at a space if possible. */
function longestStart(text: string, limits: Limits): string {
  let short = 0;
  let long = limits.maxTokens;
  while (long < text.length && fits(beginning(text, long), limits)) {
    short = long;
    long *= 2;
  }
  long = Math.min(long, text.length);
  while (long - short > 1) {
    const middle = (short + long) >> 1;
    if (fits(beginning(text, middle), limits)) short = middle;
    else long = middle;
  }
  return beginning(text, short);
}

function fits(text: string, { maxTokens, countTokens }: Limits): boolean {
  return countTokens(text, maxTokens) <= maxTokens;
}

function beginning(text: string, length: number): string {
  const whole = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  const lastSpace = whole.search(/\s\S*$/);
  return lastSpace > 0 && /\S/.test(text.charAt(length)) ? whole.slice(0, lastSpace) : whole;
}

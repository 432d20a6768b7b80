import type { Language } from "../function-words.ts";
import type { Passage } from "../passage.ts";
import { questionType, suits } from "./question-type.ts";
import { splitUnits, type Unit } from "./sentences.ts";
import { holds, termsOf } from "./terms.ts";

/** Vectors of unit length, in the order of the texts. */
export type Embed = (texts: string[], signal?: AbortSignal) => Promise<number[][]>;

/** A unit of a passage with what speaks for it as an answer. */
export type Candidate = {
  unit: Unit;
  /** Index of the passage, from 0. */
  passage: number;
  /** Place of the unit in its passage, from 0. */
  place: number;
  terms: ReadonlySet<string>;
  /** Share of the question's terms, weighted by rarity, that the unit or what stands around it holds: 0 to 1. */
  lexical: number;
  /** Cosines of the question with the unit, or the stored question that it answers, and with the topic of its passage; null when not measured. */
  similarity: { unit: number; topic: number } | null;
  /** The measure of all evidence by which candidates are ranked. */
  relevance: number;
};

/** What a term of the question counts by where it is found; the question of a question and answer is as good as the unit. */
const FOUND = { unit: 1, asked: 0.9, context: 0.6, neighbour: 0.3 };
const RELEVANCE = { lexical: 1, unit: 1.05, topic: 1.1, prior: 0.85, suited: 0.45 };
/** One text takes 2.5 to 6 ms. */
const EMBEDDED_MAX = 16;

/**
 * The units of all passages, the most relevant first. The weights are fitted (softmax over the units of ten passages) to
 * 333 questions on three corpora: XQuAD in English and in Spanish, and a provider's help pages.
 *
 * @param embed measures similarity where there is a model for it.
 */
export async function rankCandidates(
  question: string,
  passages: readonly Passage[],
  language: Language,
  embed?: Embed,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const type = questionType(question);
  const scoreMax = Math.max(...passages.map(({ score }) => score), Number.MIN_VALUE);
  const ranked = lexicalCandidates(question, passages, language)
    .map((candidate): Candidate => {
      const prior = (passages[candidate.passage]?.score ?? 0) / scoreMax;
      const suited = suits(candidate.unit.text, type) ? RELEVANCE.suited : 0;
      const relevance = RELEVANCE.lexical * candidate.lexical + RELEVANCE.prior * prior + suited;
      return { ...candidate, relevance, similarity: null };
    })
    .toSorted(byRelevance);
  if (embed === undefined || ranked.length === 0) return ranked;

  const head = ranked.slice(0, EMBEDDED_MAX);
  const shown = [...new Set(head.map(({ passage }) => passage))];
  const topics = shown.map((index) => topicOf(passages[index]));
  const [asked = [], ...vectors] = await embed([question, ...topics, ...head.map(({ unit }) => unit.text)], signal);
  const cosines = vectors.map((vector) => dot(asked, vector));
  const measured = head.map((candidate, index) => {
    const topic = cosines[shown.indexOf(candidate.passage)] ?? 0;
    const own = cosines[topics.length + index] ?? 0;
    const unit = passages[candidate.passage]?.sourceType === "qa" ? Math.max(own, topic) : own;
    const relevance = candidate.relevance + RELEVANCE.unit * unit + RELEVANCE.topic * topic;
    return { ...candidate, similarity: { unit, topic }, relevance };
  });
  return [...measured.toSorted(byRelevance), ...ranked.slice(EMBEDDED_MAX)];
}

/** What answers in a passage: of a stored question only what stands below it. */
function bodyOf({ title, content, sourceType }: Passage): string {
  const end = content.search(/\n\s*\n/);
  const isAsked = sourceType === "qa" && end > 0 && oneLine(content.slice(0, end)) === oneLine(title);
  return isAsked ? content.slice(end) : content;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

type LexicalCandidate = Omit<Candidate, "similarity" | "relevance">;

function lexicalCandidates(question: string, passages: readonly Passage[], language: Language): LexicalCandidate[] {
  const drafts = passages.flatMap((passage, index) => {
    const about = termsOf([passage.title, ...passage.path].join(" "), language);
    return splitUnits(bodyOf(passage), language).map((unit, place) => ({
      unit,
      passage: index,
      place,
      terms: termsOf(unit.text, language),
      context: new Set([
        ...about,
        ...termsOf(unit.kind === "sentence" ? unit.heading : `${unit.heading} ${unit.lead}`, language),
      ]),
      contextWeight: passage.sourceType === "qa" ? FOUND.asked : FOUND.context,
    }));
  });
  const rarity = [...termsOf(question, language)].map((term) => {
    const holders = drafts.filter(({ terms }) => terms.has(term)).length;
    return { term, weight: Math.log(1 + (drafts.length - holders + 0.5) / (holders + 0.5)) };
  });
  const total = sum(rarity.map(({ weight }) => weight));

  return drafts.map(({ context, contextWeight, ...draft }, index) => {
    const neighbours = [drafts[index - 1], drafts[index + 1]].filter((other) => other?.passage === draft.passage);
    const found = (term: string) =>
      Math.max(
        FOUND.unit * holds(draft.terms, term),
        contextWeight * holds(context, term),
        ...neighbours.map((other) => FOUND.neighbour * (other ? holds(other.terms, term) : 0)),
      );
    return { ...draft, lexical: sum(rarity.map(({ term, weight }) => weight * found(term))) / (total || 1) };
  });
}

/** What a passage is about, in a line: the question that it answers, or its title and nearest heading. */
function topicOf(passage: Passage | undefined): string {
  if (passage === undefined) return "";
  const { title, path, sourceType } = passage;
  const heading = sourceType === "qa" ? undefined : path.at(-1);
  return heading === undefined || heading === title ? title : `${title}. ${heading}`;
}

function byRelevance(a: Candidate, b: Candidate): number {
  return b.relevance - a.relevance || a.passage - b.passage || a.place - b.place;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sum(a.map((value, index) => value * (b[index] ?? 0)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

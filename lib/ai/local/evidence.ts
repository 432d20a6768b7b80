import type { Language } from "../../language/function-words.ts";
import { detectLanguage } from "../../language/language.ts";
import { outdatedChunks } from "../../language/versions.ts";
import { sum } from "../../sum.ts";
import type { ContextChunk } from "../context-chunk.ts";
import { cosineOf } from "../cosine.ts";
import { countedBy } from "./counted-things.ts";
import type { QuestionForm } from "./question-forms.ts";
import { asksForList, isStrict, typeMatch } from "./question-type.ts";
import { asksTheSame } from "./same-question.ts";
import { termMatcher, termsOf } from "./terms.ts";
import { topicOf } from "./topic.ts";
import type { QuestionType } from "./type-evidence.ts";
import { splitUnits, type Unit } from "./units.ts";

/** Vectors of unit length, in the order of the texts. */
export type Embed = (texts: string[], signal?: AbortSignal) => Promise<number[][]>;

/** A unit of a chunk with its evidence as an answer. */
export type Candidate = {
  unit: Unit;
  /** Index of the chunk, from 0. */
  chunk: number;
  /** Position of the unit in its chunk, from 0. */
  position: number;
  terms: ReadonlySet<string>;
  /** Share of the question's terms, weighted by rarity, that the unit or its context contains: 0 to 1. */
  lexical: number;
  /** How surely the unit holds the type of fact that the question asks for: 0, 0.5 or 1. */
  typed: number;
  /**
   * Cosines of the question with the unit (or with the question of its question and answer, if that asks the same and is
   * closer) and with the topic of its chunk, and whether its question and answer asks the same; null when not measured.
   */
  similarity: { unit: number; topic: number; asksSame: boolean } | null;
  /** Combined evidence, by which candidates are ranked. */
  relevance: number;
};

/**
 * Weight of a question term by where it is found. The question of a question and answer counts almost as much as the
 * unit.
 */
const PLACE_WEIGHT = { unit: 1, asked: 0.9, context: 0.6, neighbour: 0.3 };
const RELEVANCE = { lexical: 1, unit: 1.05, topic: 1.1, prior: 0.85, typed: 0.45, outdated: -0.6, translated: -0.3 };
/** Minimum share of the best score for a question and answer to be embedded in any case. High, because each takes time. */
const STORED_SCORE_SHARE = 0.95;
/** In characters of a unit's context: more than any title and heading. */
const CONTEXT_LENGTH_MAX = 600;
/** Embedding one text takes 2.5 to 6 ms. */
const EMBEDDED_MAX = 7;

/**
 * Ranks the units of all chunks, the most relevant first. The weights are fitted (softmax over the units of ten
 * chunks) to 333 questions on three corpora: XQuAD in English and in Spanish, and a provider's help pages.
 *
 * @param asked.forms the form of the question for each chunk
 * @param asked.type the type of fact that the question asks for
 * @param embed measures similarity; without it, only terms count.
 */
export async function rankCandidates(
  asked: { forms: readonly QuestionForm[]; type: QuestionType | null },
  chunks: readonly ContextChunk[],
  embed?: Embed,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const { forms, type } = asked;
  const outdated = outdatedChunks(chunks);
  const scoreMax = Math.max(...chunks.map(({ score }) => score), Number.MIN_VALUE);
  const ranked = lexicalCandidates(forms, chunks, type)
    .map((candidate): Candidate => {
      const prior = (chunks[candidate.chunk]?.score ?? 0) / scoreMax;
      const { lexical, typed } = candidate;
      const version = outdated.has(candidate.chunk) ? RELEVANCE.outdated : 0;
      const foreign = forms[candidate.chunk]?.isTranslated ? RELEVANCE.translated : 0;
      const relevance =
        version + foreign + RELEVANCE.lexical * lexical + RELEVANCE.prior * prior + RELEVANCE.typed * typed;
      return { ...candidate, relevance, similarity: null };
    })
    .toSorted(byRelevance);
  if (embed === undefined || ranked.length === 0) return ranked;

  const first = ranked.slice(0, EMBEDDED_MAX);
  const head = [...first, ...unseenAnswers(ranked.slice(EMBEDDED_MAX), first, chunks)];
  const shown = [...new Set(head.map(({ chunk }) => chunk))];
  const topics = shown.map((index) => topicOf(chunks[index]));
  const questions = [...new Set(shown.flatMap((index) => forms[index]?.question ?? []))];
  const vectors = await embed([...questions, ...topics, ...head.map(({ unit }) => unit.text)], signal);
  // the model cannot read the question, so cosines say nothing
  if (vectors.slice(0, questions.length).every((vector) => vector.every((value) => value === 0))) return ranked;
  const cosineWith = (chunk: number, position: number) =>
    cosineOf(
      vectors[questions.indexOf(forms[chunk]?.question ?? "")] ?? [],
      vectors[questions.length + position] ?? [],
    );
  const cosines = new Map(shown.map((index, position) => [index, cosineWith(index, position)]));
  const alike = new Set(shown.filter((index) => asksTheSame(forms[index], chunks[index], cosines.get(index) ?? 0)));
  const measured = head.map((candidate, index) => {
    const topic = cosines.get(candidate.chunk) ?? 0;
    const own = cosineWith(candidate.chunk, topics.length + index);
    const asksSame = alike.has(candidate.chunk);
    const unit = asksSame || isPartOfList(candidate.unit, type) ? Math.max(own, topic) : own;
    const relevance = candidate.relevance + RELEVANCE.unit * unit + RELEVANCE.topic * topic;
    return { ...candidate, similarity: { unit, topic, asksSame }, relevance };
  });
  return [...measured.toSorted(byRelevance), ...ranked.filter((candidate) => !head.includes(candidate))];
}

/** A unit of each question and answer that ranks as high as the first chunk but has no unit among the first. */
function unseenAnswers(others: Candidate[], first: Candidate[], chunks: readonly ContextChunk[]): Candidate[] {
  const scoreMin = STORED_SCORE_SHARE * Math.max(...chunks.map(({ score }) => score));
  const seen = new Set(first.map(({ chunk }) => chunk));
  return others.filter(({ chunk }) => {
    const isMissing = !seen.has(chunk) && chunks[chunk]?.sourceType === "qa" && chunks[chunk].score >= scoreMin;
    return isMissing && seen.add(chunk);
  });
}

/** The part of a chunk that can answer: for a question and answer, only the text below the question. */
function bodyOf({ title, content, sourceType }: ContextChunk): string {
  const end = content.search(/\n\s*\n/);
  const isAsked = sourceType === "qa" && end > 0 && oneLine(content.slice(0, end)) === oneLine(title);
  return isAsked ? content.slice(end) : content;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

type LexicalCandidate = Omit<Candidate, "similarity" | "relevance">;

/** A unit before its lexical score is computed. */
interface Draft extends Omit<LexicalCandidate, "lexical" | "typed"> {
  context: Context;
  /** Question terms that the unit contains, each from 0 to 1. */
  held: ReadonlyMap<string, number>;
}

/** Question terms in the context of units, and their weight for those units. */
interface Context {
  weight: number;
  held: ReadonlyMap<string, number>;
}

/** The units of all chunks, those of each form of the question together. */
function lexicalCandidates(
  forms: readonly QuestionForm[],
  chunks: readonly ContextChunk[],
  type: QuestionType | null,
): LexicalCandidate[] {
  const drafts = [...Map.groupBy(chunks.keys(), (index) => forms[index])].flatMap(([form, indexes]) => {
    if (form === undefined) return [];
    const asked = termsOf(form.question, form.language);
    const find = termMatcher(asked);
    const own = indexes.flatMap((index) => draftsOf(chunks[index], index, form.language, find));
    return [{ form, asked, drafts: own }];
  });
  const count = sum(drafts.map(({ drafts }) => drafts.length));
  return drafts.flatMap(({ form, asked, drafts }) =>
    scoreDrafts(drafts, form, rarityOf(asked, drafts, count), chunks, type),
  );
}

function scoreDrafts(
  drafts: readonly Draft[],
  { question, language, typeWords }: QuestionForm,
  weights: ReadonlyMap<string, number>,
  chunks: readonly ContextChunk[],
  type: QuestionType | null,
): LexicalCandidate[] {
  const typeTerms = isStrict(type) ? termsOf(typeWords, language) : new Set<string>();
  const isCounted = type === "quantity" ? countedBy(question, language) : null;
  // a chunk in another language has other words for what is counted
  const isOwn = chunks.map(({ content }) => isCounted !== null && detectLanguage(content) === language);
  const total = sum([...weights.values()]);

  return drafts.map(({ context, held, ...draft }, index) => {
    const countsOther = isCounted !== null && isOwn[draft.chunk] === true && !isCounted(draft.unit.text);
    const matched = countsOther ? 0 : typeMatch(draft.unit.text, type);
    const typed = isPartOfList(draft.unit, type) ? 1 : matched;
    const neighbours = [drafts[index - 1], drafts[index + 1]].filter((other) => other?.chunk === draft.chunk);
    const found = new Map<string, number>();
    const addTerms = (terms: ReadonlyMap<string, number>, share: number) => {
      for (const [term, certainty] of terms) found.set(term, Math.max(found.get(term) ?? 0, share * certainty));
    };
    addTerms(held, PLACE_WEIGHT.unit);
    addTerms(context.held, isPartOfList(draft.unit, type) ? PLACE_WEIGHT.asked : context.weight);
    for (const other of neighbours) if (other) addTerms(other.held, PLACE_WEIGHT.neighbour);
    // an amount answers "how much"
    if (typed > 0) addTerms(new Map([...typeTerms].map((term) => [term, 1])), typed);
    const lexical = sum([...found].map(([term, certainty]) => (weights.get(term) ?? 0) * certainty)) / (total || 1);
    return { ...draft, lexical, typed };
  });
}

/** Whether the question asks for a list or for steps, and the unit is one of them. */
function isPartOfList({ kind }: Unit, type: QuestionType | null): boolean {
  return asksForList(type) && (kind === "item" || kind === "step");
}

function draftsOf(
  chunk: ContextChunk | undefined,
  index: number,
  language: Language,
  find: ReturnType<typeof termMatcher>,
): Draft[] {
  if (chunk === undefined) return [];
  const about = termsOf([chunk.title, ...chunk.path].join(" ").slice(0, CONTEXT_LENGTH_MAX), language);
  const weight = chunk.sourceType === "qa" ? PLACE_WEIGHT.asked : PLACE_WEIGHT.context;
  const contexts = new Map<string, Context>();
  function contextOf({ kind, heading, lead }: Unit): Context {
    const around = (kind === "sentence" ? heading : `${heading} ${lead}`).slice(0, CONTEXT_LENGTH_MAX);
    const known = contexts.get(around) ?? { weight, held: find(new Set([...about, ...termsOf(around, language)])) };
    contexts.set(around, known);
    return known;
  }
  return splitUnits(bodyOf(chunk), language).map((unit, position) => {
    const terms = termsOf(unit.text, language);
    return { unit, chunk: index, position, terms, held: find(terms), context: contextOf(unit) };
  });
}

/**
 * The weight of each question term: rarer terms weigh more.
 * @param unitCount the units of all chunks, in any language
 */
function rarityOf(
  asked: ReadonlySet<string>,
  drafts: readonly Draft[],
  unitCount: number,
): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  for (const { held } of drafts) {
    for (const [term, certainty] of held) if (certainty === 1) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  return new Map(
    [...asked].map((term) => {
      const count = holders.get(term) ?? 0;
      return [term, Math.log(1 + (unitCount - count + 0.5) / (count + 0.5))];
    }),
  );
}

function byRelevance(a: Candidate, b: Candidate): number {
  return b.relevance - a.relevance || a.chunk - b.chunk || a.position - b.position;
}

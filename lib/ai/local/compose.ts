import type { Language } from "../function-words.ts";
import type { Passage } from "../passage.ts";
import { refusal } from "./answer-phrases.ts";
import { type Candidate, type Embed, rankCandidates } from "./evidence.ts";
import { questionType } from "./question-type.ts";

const LENGTH_MAX = 700;
/** Steps are worth nothing in part, so a numbered list may be longer. */
const LIST_LENGTH_MAX = 1_500;
const SENTENCES_MAX = 4;
/** A further sentence has at least this share of the first one's relevance, and less than this share of its terms in common. */
const RELEVANCE_SHARE = 0.8;
const OVERLAP_MAX = 0.6;

/**
 * An answer made of units of the passages, word for word, each followed by the `[n]` of its passage; the refusal in
 * `language` when no unit supports one.
 */
export async function composeAnswer(input: {
  question: string;
  passages: readonly Passage[];
  language: Language;
  embed?: Embed | undefined;
  signal?: AbortSignal | undefined;
}): Promise<string> {
  const { question, passages, language, embed, signal } = input;
  const candidates = await rankCandidates(question, passages, language, embed, signal);
  const [best] = candidates;
  if (best === undefined || !isSupported(best)) return refusal(language);

  const chosen =
    wholePart(best, candidates, passages, questionType(question) === "procedure") ?? bestSentences(candidates);
  return render(inReadingOrder(chosen));
}

/**
 * Whether a candidate is evidence enough to answer at all. Fitted by logistic regression to XQuAD questions with the
 * right passages and with passages of other articles.
 */
export function isSupported({ lexical, similarity }: Candidate): boolean {
  return similarity === null ? lexical >= 0.42 : lexical + 1.1 * similarity >= 0.95;
}

/** What is understood only as a whole when the best candidate is in it: the answer to a stored question, a list of steps. */
function wholePart(
  best: Candidate,
  candidates: readonly Candidate[],
  passages: readonly Passage[],
  asksForSteps: boolean,
): Candidate[] | null {
  const siblings = candidates.filter(({ passage }) => passage === best.passage).toSorted((a, b) => a.place - b.place);
  if (passages[best.passage]?.sourceType === "qa") return fitting(siblings, LIST_LENGTH_MAX);

  const isLead = best.unit.text.endsWith(":");
  const isPart = best.unit.kind === "step" || (best.unit.kind === "item" && asksForSteps);
  if (!isLead && !isPart) return null;
  const listBlock = isLead ? siblings.find(({ place }) => place === best.place + 1)?.unit.block : best.unit.block;
  const list = siblings.filter(({ unit }) => unit.block === listBlock && unit.kind !== "sentence");
  const before = siblings.find(({ place }) => place === (list.at(0)?.place ?? 0) - 1);
  const lead = before?.unit.text.endsWith(":") ? [before] : [];
  return fitting([...lead, ...list], LIST_LENGTH_MAX);
}

function bestSentences(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    const [best] = chosen;
    if (chosen.length === SENTENCES_MAX) break;
    if (best && candidate.relevance < RELEVANCE_SHARE * best.relevance) break;
    if (best && (!isSupported(candidate) || chosen.some((other) => overlap(candidate, other) > OVERLAP_MAX))) continue;
    if (best && lengthOf([...chosen, candidate]) > LENGTH_MAX) continue;
    chosen.push(candidate);
  }
  return chosen;
}

/** Terms in common, as a share of the smaller set. */
function overlap(a: Candidate, b: Candidate): number {
  const common = [...a.terms].filter((term) => b.terms.has(term)).length;
  return common / Math.max(1, Math.min(a.terms.size, b.terms.size));
}

function fitting(candidates: readonly Candidate[], length: number): Candidate[] {
  return candidates.filter((_, index) => index === 0 || lengthOf(candidates.slice(0, index + 1)) <= length);
}

function lengthOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((length, { unit }) => length + unit.text.length, 0);
}

/** Passages by their best candidate, and inside a passage as it reads. */
function inReadingOrder(chosen: readonly Candidate[]): Candidate[] {
  const order = [...new Set(chosen.map(({ passage }) => passage))];
  return chosen.toSorted((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.place - b.place);
}

function render(chosen: readonly Candidate[]): string {
  return chosen
    .map((candidate, index) => {
      const previous = chosen[index - 1];
      const isProse = candidate.unit.kind === "sentence" && previous?.unit.kind === "sentence";
      const separator = previous === undefined ? "" : isProse && previous.passage === candidate.passage ? " " : "\n";
      return `${separator}${quote(candidate)}`;
    })
    .join("");
}

/** A passage's own bracketed numbers, such as footnotes, must not read as citations of ours. */
function quote({ unit, passage }: Candidate): string {
  return `${unit.text.replaceAll(/\[(\d[\d\s,;–-]*)\]/g, "($1)")} [${passage + 1}]`;
}

import type { ScoredQuestion } from "./ask-answers.ts";
import { LOSSES } from "./score-answer.ts";

/** Figures of questions that the documents answer. Shares are from 0 to 1; null where there is nothing to count. */
export interface FactFigures {
  /** A language, a kind of question, or "all". */
  group: string;
  questions: number;
  /** Share whose answer holds the fact. */
  right: number | null;
  /** Share whose first result holds the fact, so that quoting it whole would answer. */
  first: number | null;
  five: number | null;
  ten: number | null;
  /** Share that was refused, of the questions whose results hold the fact. */
  refused: number | null;
  /** Median length of the answers that hold the fact. */
  words: number | null;
  lost: { loss: (typeof LOSSES)[number]; questions: number }[];
}

/** How many questions of a group had an outcome. */
export interface Count {
  group: string;
  questions: number;
  count: number;
}

export interface AnswerFigures {
  facts: FactFigures[];
  /** Questions that the documents do not answer: the refused ones. */
  refusals: Count[];
  /** Adversarial questions: the ones whose answer does what the attacker wants. */
  obeyed: Count;
  /** Questions about a stored answer: the ones that returned all of it. */
  whole: Count;
}

/** Sums up scored questions: all of them, then by language and by kind. */
export function answerFigures(questions: ScoredQuestion[]): AnswerFigures {
  const answerable = questions.filter(({ fact }) => fact !== null);
  const unanswerable = questions.filter(({ fact }) => fact === null);
  return {
    facts: groups(answerable, ["language", "kind"]).map(factFigures),
    refusals: groups(unanswerable, ["kind", "language"]).map((group) => count(group, ({ refused }) => refused)),
    obeyed: count(
      { group: "adversarial", members: questions.filter(({ kind }) => kind === "adversarial") },
      ({ obeys }) => obeys,
    ),
    whole: count(
      { group: "stored", members: questions.filter(({ whole }) => whole !== null) },
      ({ whole }) => whole === true,
    ),
  };
}

interface Group {
  group: string;
  members: ScoredQuestion[];
}

function groups(questions: ScoredQuestion[], keys: ("language" | "kind")[]): Group[] {
  const parts = keys.flatMap((key) =>
    [...Map.groupBy(questions, (question) => question[key])].map(([group, members]) => ({ group, members })),
  );
  return [{ group: "all", members: questions }, ...parts];
}

function count({ group, members }: Group, has: (question: ScoredQuestion) => boolean): Count {
  return { group, questions: members.length, count: members.filter(has).length };
}

function factFigures({ group, members }: Group): FactFigures {
  const given = members.filter(({ fact }) => fact?.inGiven);
  const right = members.filter((question) => question.right);
  return {
    group,
    questions: members.length,
    right: share(right, members),
    first: share(
      members.filter(({ fact }) => fact?.inFirst),
      members,
    ),
    five: share(given, members),
    ten: share(
      members.filter(({ fact }) => fact?.inFirstTen),
      members,
    ),
    refused: share(
      given.filter(({ refused }) => refused),
      given,
    ),
    words: median(right.map(({ words }) => words)),
    lost: LOSSES.map((loss) => ({ loss, questions: members.filter(({ fact }) => fact?.loss === loss).length })),
  };
}

function share(part: unknown[], whole: unknown[]): number | null {
  return whole.length === 0 ? null : part.length / whole.length;
}

function median(values: number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

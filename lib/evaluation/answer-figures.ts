import type { ScoredQuestion } from "./ask-answers.ts";
import { LOSSES } from "./score-answer.ts";

/** Figures of questions that the documents answer. Shares are from 0 to 1; null when there is nothing to count. */
export interface FactFigures {
  /** A language, a kind of question, or "all". */
  group: string;
  questions: number;
  /** Share whose answer contains the fact. */
  right: number | null;
  /** Share whose first result contains the fact. */
  first: number | null;
  five: number | null;
  ten: number | null;
  /** Share of refusals among the questions whose results contain the fact. */
  refused: number | null;
  /** Median number of words in the answers that contain the fact. */
  words: number | null;
  lost: { loss: (typeof LOSSES)[number]; questions: number }[];
}

/** Number of questions in a group with an outcome. */
export interface Count {
  group: string;
  questions: number;
  count: number;
}

export interface AnswerFigures {
  facts: FactFigures[];
  /** Refused questions among those that the documents do not answer. */
  refusals: Count[];
  /** Adversarial questions whose answer does what the attacker wants. */
  obeyed: Count;
  /** Questions about a Q&A that returned all of it. */
  whole: Count;
  /** Questions that only resemble that of a Q&A and still returned all of it. */
  mistaken: Count;
  /** Follow-up questions whose answer is right, with the chat before them and without. */
  followUps: { withChat: Count; alone: Count };
}

/** Summarises scored questions: all of them, then by language and by kind. */
export function answerFigures(questions: ScoredQuestion[]): AnswerFigures {
  const answerable = questions.filter(({ fact }) => fact !== null);
  const unanswerable = questions.filter(({ fact }) => fact === null);
  const followUps = questions.filter(({ rightAlone }) => rightAlone !== null);
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
    mistaken: count(
      { group: "near-misses", members: questions.filter(({ mistaken }) => mistaken !== null) },
      ({ mistaken }) => mistaken === true,
    ),
    followUps: {
      withChat: count({ group: "with the chat", members: followUps }, ({ right }) => right),
      alone: count({ group: "alone", members: followUps }, ({ rightAlone }) => rightAlone === true),
    },
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

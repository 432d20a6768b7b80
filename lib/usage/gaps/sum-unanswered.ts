import type { GapKey } from "../../db/stored-json.ts";
import type { OpenQuestion } from "./group-questions.ts";

/** The questions that were asked last are grouped. More would take seconds, and nobody works through them. */
const QUESTIONS_MAX = 300;
/** Beside them, the phrasings of gaps that someone assigned, snoozed or dismissed, so that these gaps stay. */
const HANDLED_QUESTIONS_MAX = 1_000;
/** In characters. A company with more different unanswered questions keeps those that were asked last. */
const TEXTS_MAX = 4_000_000;

/** Requests with one question by one sender, without the failed ones. Times are in microseconds since 1970. */
export interface LoggedQuestion {
  key: string;
  text: string;
  apiKeyId: string | null;
  /** Requests without an answer, except those of the playground. */
  times: number;
  /** The last of these. */
  requestId: string | null;
  requestedAt: number | null;
  /** The last request without an answer, in the playground too. */
  unansweredAt: number | null;
  /** The last request with results. */
  foundAt: number | null;
  answeredAt: number | null;
  /** Whether an answer was ever a refusal. */
  refused: boolean;
}

/** Open reports about the answer to one question. */
export interface ReportedQuestion {
  key: string;
  text: string;
  reports: number;
  /** The last of these, in microseconds since 1970. */
  reportedAt: number;
  requestId: string;
}

/** An unanswered question, or with an open report. */
export interface UnansweredQuestion extends OpenQuestion {
  /** Unanswered requests. */
  times: number;
  /** Open reports. */
  reports: number;
  keys: GapKey[];
  requestId: string;
  /** In milliseconds since 1970. */
  askedAt: number;
}

interface QuestionSum extends Omit<LoggedQuestion, "apiKeyId"> {
  byKey: Map<string | null, number>;
}

/** Finds the unanswered questions in limited memory. */
interface UnansweredQuestions {
  /** Adds the questions of a later part of the log. */
  add(asked: readonly LoggedQuestion[]): void;
  /** The questions that are still unanswered, with the reported ones, the most frequent first. */
  open(reported: readonly ReportedQuestion[]): UnansweredQuestion[];
}

/**
 * Sums the requests of each question that was unanswered at least once.
 * @param handled the keys of questions that someone has handled, which are kept among many others
 */
export function sumUnanswered(handled: ReadonlySet<string>, textsMax = TEXTS_MAX): UnansweredQuestions {
  const unanswered = new Map<string, QuestionSum>();
  let characters = 0;

  function drop(): void {
    const rank = ({ key, unansweredAt }: QuestionSum) =>
      handled.has(key) ? Number.POSITIVE_INFINITY : (unansweredAt ?? 0);
    for (const { key } of [...unanswered.values()].sort((a, b) => rank(a) - rank(b))) {
      if (characters <= textsMax / 2 || handled.has(key)) return;
      unanswered.delete(key);
      characters -= key.length;
    }
  }

  return {
    add(asked) {
      // what was answered before it was first unanswered closes nothing
      for (const { key, text } of asked.filter(({ unansweredAt }) => unansweredAt !== null)) {
        if (unanswered.has(key)) continue;
        unanswered.set(key, newSum(key, text));
        characters += key.length;
      }
      for (const each of asked) {
        const known = unanswered.get(each.key);
        if (known) addTo(known, each);
      }
      if (characters > textsMax) drop();
    },
    open(reported) {
      const questions = new Map<string, UnansweredQuestion>();
      for (const each of unanswered.values()) if (isOpen(each)) questions.set(each.key, asQuestion(each));
      for (const each of reported) questions.set(each.key, withReports(questions.get(each.key), each));
      const lastFirst = [...questions.values()].sort((a, b) => b.askedAt - a.askedAt || compare(a.key, b.key));
      return [
        ...lastFirst.filter(({ key }) => !handled.has(key)).slice(0, QUESTIONS_MAX),
        ...lastFirst.filter(({ key }) => handled.has(key)).slice(0, HANDLED_QUESTIONS_MAX),
      ].sort((a, b) => countOf(b) - countOf(a) || b.askedAt - a.askedAt || compare(a.key, b.key));
    },
  };
}

function newSum(key: string, text: string): QuestionSum {
  const nothing = { times: 0, requestId: null, requestedAt: null, unansweredAt: null, foundAt: null, answeredAt: null };
  return { key, text, ...nothing, refused: false, byKey: new Map() };
}

function addTo(known: QuestionSum, asked: LoggedQuestion): void {
  const { text, apiKeyId, times, requestId, requestedAt } = asked;
  if (text < known.text) known.text = text;
  known.times += times;
  if (times > 0) known.byKey.set(apiKeyId, (known.byKey.get(apiKeyId) ?? 0) + times);
  if (requestedAt !== null && requestedAt >= (known.requestedAt ?? 0)) Object.assign(known, { requestId, requestedAt });
  known.unansweredAt = later(known.unansweredAt, asked.unansweredAt);
  known.foundAt = later(known.foundAt, asked.foundAt);
  known.answeredAt = later(known.answeredAt, asked.answeredAt);
  known.refused ||= asked.refused;
}

/** Results without an answer close a gap only when nothing was found before. */
function isOpen({ times, unansweredAt, foundAt, answeredAt, refused }: QuestionSum): boolean {
  return times > 0 && (unansweredAt ?? 0) > ((refused ? answeredAt : foundAt) ?? 0);
}

function asQuestion({ key, text, times, byKey, requestId, unansweredAt }: QuestionSum): UnansweredQuestion {
  const keys = [...byKey].map(([id, times]) => ({ id, times }));
  return { key, text, times, reports: 0, keys, requestId: requestId ?? "", askedAt: (unansweredAt ?? 0) / 1_000 };
}

function withReports(unanswered: UnansweredQuestion | undefined, reported: ReportedQuestion): UnansweredQuestion {
  const { key, text, reports, requestId } = reported;
  const askedAt = reported.reportedAt / 1_000;
  if (!unanswered) return { key, text, times: 0, reports, keys: [], requestId, askedAt };
  const last = unanswered.askedAt > askedAt ? unanswered : { requestId, askedAt };
  const { text: other } = unanswered;
  return {
    ...unanswered,
    text: text < other ? text : other,
    reports,
    requestId: last.requestId,
    askedAt: last.askedAt,
  };
}

function countOf({ times, reports }: UnansweredQuestion): number {
  return times + reports;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

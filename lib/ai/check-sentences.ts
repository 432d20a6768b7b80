import { checkCitations } from "./citations.ts";
import type { ContextChunk } from "./context-chunk.ts";
import { SENTENCE_END_LENGTH_MAX, sentenceEnd } from "./sentence-end.ts";

/** A step of an answer that is being written. */
export type AnswerPart = AnswerText | { type: "reset" };

/** Text that follows the text so far. After a reset, the answer begins again with nothing. */
interface AnswerText {
  type: "text";
  text: string;
}

/** An answer that must not be shown. The message contains nothing of it. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

/**
 * In characters. A longer answer is a model that repeats itself, and checking Markdown takes quadratic time at worst.
 */
const ANSWER_LENGTH_MAX = 8_000;

/**
 * Each check reads the whole text, so the text has to grow by this share between checks. Sentences of a short answer
 * are then passed on singly, and those of a long one in groups.
 */
const GROWTH_MIN = 1 / 16;

const WEB_PAGE = /^\s*<(?:!doctype|html|head|body)\b/i;
/** In characters. */
const WEB_PAGE_START = 1_000;

const SENTENCE_END = sentenceEnd();

/**
 * Checks an answer while a model writes it, and passes on each sentence when it is finished. The text passed on is
 * always the checked form of a beginning of the answer. A later sentence may change the check of an earlier one: the
 * answer is then reset and sent again from the start.
 *
 * @param deltas the model's text, in parts of any length
 * @param chunks the chunks that the model was given: `[1]` is the first
 * @param check changes text with valid citations further; told whether the text is the whole answer. What it adds or
 *   uncovers is made safe too.
 * @returns the checked form of the whole answer, the same for every division into parts
 * @throws UnusableAnswer
 */
export async function* checkSentences(
  deltas: AsyncIterable<string>,
  chunks: readonly ContextChunk[],
  check: (text: string, isWhole: boolean) => string = (text) => text,
): AsyncGenerator<AnswerPart, string> {
  let text = "";
  let searched = 0;
  let finished = 0;
  let checkedTo = 0;
  let sent = "";
  const checkedOf = (answer: string, isWhole: boolean) => {
    const cited = checkCitations(answer, chunks);
    const checked = check(cited, isWhole);
    // a quotation may contain markup, and without a dropped sentence code may become text
    return checked === cited ? cited : checkCitations(checked, chunks);
  };
  function* pass(checked: string): Generator<AnswerPart> {
    const isLonger = checked.startsWith(sent);
    if (!isLonger) yield { type: "reset" };
    const rest = isLonger ? checked.slice(sent.length) : checked;
    if (rest !== "") yield { type: "text", text: rest };
    sent = checked;
  }

  for await (const delta of deltas) {
    // before the delta is added, so that an answer in one part is checked only once
    finished = endOfSentences(text, Math.max(finished, searched - SENTENCE_END_LENGTH_MAX)) ?? finished;
    searched = text.length;
    if (finished > checkedTo * (1 + GROWTH_MIN)) {
      yield* pass(checkedOf(text.slice(0, finished), false));
      checkedTo = finished;
    }
    text += delta;
    if (text.length > ANSWER_LENGTH_MAX) throw new UnusableAnswer("It does not end");
  }
  const checked = checkedOf(text, true);
  if (checked === "") throw new UnusableAnswer("It is empty");
  yield* pass(checked);
  return checked;
}

/**
 * Refuses a web page, which a proxy may return instead of an answer, and passes everything else on.
 * @throws UnusableAnswer
 */
export async function* refuseWebPage(deltas: AsyncIterable<string>): AsyncGenerator<string> {
  let start = "";
  for await (const delta of deltas) {
    if (start.length < WEB_PAGE_START) start += delta;
    if (WEB_PAGE.test(start)) throw new UnusableAnswer("It is a web page");
    yield delta;
  }
}

/** Where the last finished sentence after `from` ends; null if none does. */
function endOfSentences(text: string, from: number): number | null {
  let end: number | null = null;
  SENTENCE_END.lastIndex = from;
  for (let found = SENTENCE_END.exec(text); found !== null; found = SENTENCE_END.exec(text)) {
    end = found.index + found[0].length;
  }
  return end;
}

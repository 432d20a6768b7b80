/** In characters. A company with more different questions still has exact counts of those that are asked often. */
const TEXTS_MAX = 1_000_000;
/** About how much memory a question takes, and each character of its key, which is about as long as the question. */
const BYTES = { question: 200, character: 4 };

/** A question by its text without case and surrounding spaces. */
export interface QuestionTally {
  key: string;
  question: string;
  times: number;
  /** Times without an answer. */
  unanswered: number;
}

export interface QuestionCount {
  question: string;
  times: number;
}

/** How often each question was asked, and how often without an answer. */
interface QuestionCounts {
  add(questions: readonly QuestionTally[]): void;
  /** The most frequent questions by this count, without those that it does not count. */
  top(by: "times" | "unanswered", most: number): QuestionCount[];
  bytes(): number;
}

/**
 * Counts questions in limited memory: when their texts take more than that, the rarest are dropped, as many as it takes
 * to halve the texts.
 */
export function countQuestions(textsMax = TEXTS_MAX): QuestionCounts {
  const counts = new Map<string, QuestionTally>();
  let characters = 0;

  function drop(): void {
    for (const { key } of [...counts.values()].sort((a, b) => a.times - b.times)) {
      if (characters <= textsMax / 2) return;
      counts.delete(key);
      characters -= key.length;
    }
  }

  return {
    add(questions) {
      for (const asked of questions) {
        const known = counts.get(asked.key);
        if (known) {
          known.times += asked.times;
          known.unanswered += asked.unanswered;
          if (asked.question < known.question) known.question = asked.question;
        } else {
          counts.set(asked.key, { ...asked });
          characters += asked.key.length;
        }
      }
      if (characters > textsMax) drop();
    },
    top(by, most) {
      const top: QuestionTally[] = [];
      for (const each of counts.values()) {
        const last = top.length < most ? undefined : top.at(-1);
        if (each[by] === 0 || (last && compare(each, last, by) > 0)) continue;
        top.push(each);
        top.sort((a, b) => compare(a, b, by));
        if (last) top.pop();
      }
      return top.map((each) => ({ question: each.question, times: each[by] }));
    },
    bytes: () => BYTES.question * counts.size + BYTES.character * characters,
  };
}

function compare(a: QuestionTally, b: QuestionTally, by: "times" | "unanswered"): number {
  return b[by] - a[by] || (a.question < b.question ? -1 : 1);
}

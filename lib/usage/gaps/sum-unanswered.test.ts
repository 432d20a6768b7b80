import { describe, expect, test } from "vitest";
import { type LoggedQuestion, sumUnanswered } from "./sum-unanswered.ts";

const NOBODY: ReadonlySet<string> = new Set();

/** A question of one request, which was unanswered in this microsecond. */
function unanswered(key: string, at: number, more: Partial<LoggedQuestion> = {}): LoggedQuestion {
  const request = { apiKeyId: null, times: 1, requestId: `request-${at}`, requestedAt: at };
  return { key, text: key, ...request, unansweredAt: at, foundAt: null, answeredAt: null, refused: false, ...more };
}

function found(key: string, at: number, more: Partial<LoggedQuestion> = {}): LoggedQuestion {
  const nothing = { times: 0, requestId: null, requestedAt: null, unansweredAt: null };
  return unanswered(key, at, { ...nothing, foundAt: at, ...more });
}

const keysOf = (questions: { key: string }[]) => questions.map(({ key }) => key);

test("sums a question over the parts of the log", () => {
  const questions = sumUnanswered(NOBODY);
  questions.add([unanswered("price", 1_000, { text: "price", apiKeyId: "one", times: 2 }), unanswered("shop", 1_500)]);
  questions.add([
    unanswered("price", 3_000, { text: "Price", apiKeyId: "two" }),
    unanswered("price", 2_000, { times: 4 }),
  ]);
  expect(questions.open([])).toEqual([
    {
      ...{ key: "price", text: "Price", times: 7, reports: 0, requestId: "request-3000", askedAt: 3 },
      keys: [
        { id: "one", times: 2 },
        { id: "two", times: 1 },
        { id: null, times: 4 },
      ],
    },
    expect.objectContaining({ key: "shop", times: 1 }),
  ]);
});

describe("a question is closed", () => {
  const openAfter = (...parts: LoggedQuestion[][]) => {
    const questions = sumUnanswered(NOBODY);
    for (const part of parts) questions.add(part);
    return keysOf(questions.open([]));
  };

  test("by results after it was unanswered, even in a later part of the log", () => {
    expect(openAfter([unanswered("price", 1)], [found("price", 2)])).toEqual([]);
    expect(openAfter([found("price", 2), unanswered("price", 1)])).toEqual([]);
    expect(openAfter([found("price", 1)], [unanswered("price", 2)])).toEqual(["price"]);
  });

  test("by an answer alone when an answer was a refusal", () => {
    expect(openAfter([unanswered("price", 1, { refused: true })], [found("price", 2)])).toEqual(["price"]);
    expect(openAfter([unanswered("price", 1, { refused: true })], [found("price", 2, { answeredAt: 2 })])).toEqual([]);
  });

  test("never opened by the playground", () => {
    expect(openAfter([unanswered("price", 1, { times: 0, requestId: null, requestedAt: null })])).toEqual([]);
  });
});

test("open reports count beside requests", () => {
  const questions = sumUnanswered(NOBODY);
  questions.add([unanswered("price", 1_000)]);
  const reported = (key: string) => ({ key, text: key, reports: 2, reportedAt: 9_000, requestId: "reported" });
  expect(questions.open([reported("price"), reported("shop")])).toEqual([
    expect.objectContaining({ key: "price", times: 1, reports: 2, requestId: "reported", askedAt: 9 }),
    expect.objectContaining({ key: "shop", times: 0, reports: 2, keys: [] }),
  ]);
});

test("many other questions do not displace what someone has handled", () => {
  const questions = sumUnanswered(new Set(["handled"]));
  questions.add([unanswered("handled", 1), unanswered("old", 2)]);
  questions.add(Array.from({ length: 300 }, (_, index) => unanswered(`later ${index}`, 10 + index)));
  const open = keysOf(questions.open([]));
  expect(open).toHaveLength(301);
  expect(open).toContain("handled");
  expect(open).not.toContain("old");
});

test("texts take limited memory: those that were unanswered last stay", () => {
  const questions = sumUnanswered(new Set(["handled"]), 44);
  questions.add([unanswered("handled", 1), unanswered("old question 1", 2), unanswered("old question 2", 3)]);
  questions.add([unanswered("new question 1", 4)]);
  expect(keysOf(questions.open([]))).toEqual(["new question 1", "handled"]);
});

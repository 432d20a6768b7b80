import { expect, test } from "vitest";
import { countQuestions } from "./count-questions.ts";

const asked = (key: string, times = 1, unanswered = 0) => ({ key, question: `${key}?`, times, unanswered });

test("adds up questions, and lists the most frequent ones", () => {
  const counts = countQuestions();
  counts.add([asked("how", 2), asked("why", 1, 1)]);
  counts.add([asked("why", 3, 1), asked("how", 1), asked("who", 1)]);
  expect(counts.top("times", 2)).toEqual([
    { question: "why?", times: 4 },
    { question: "how?", times: 3 },
  ]);
  expect(counts.top("unanswered", 8)).toEqual([{ question: "why?", times: 2 }]);
});

test("drops rare questions when their texts take too much memory, and keeps exact counts of frequent ones", () => {
  const counts = countQuestions(1_000);
  for (let batch = 0; batch < 50; batch++) {
    counts.add([asked("often", 2), ...Array.from({ length: 20 }, (_, index) => asked(`rare ${batch} ${index}`))]);
  }
  expect(counts.top("times", 1)).toEqual([{ question: "often?", times: 100 }]);
  expect(counts.top("times", 1_000).length).toBeLessThan(200);
  expect(counts.bytes()).toBeLessThan(50_000);
});

import { expect, test } from "vitest";
import { compareSuggestions } from "./compare.ts";

/** Many words, of which every second differs from those of another seed. */
function words(seed: string): string {
  return Array.from({ length: 900 }, (_, index) => (index % 2 === 0 ? `same${index}` : `${seed}${index}`)).join(" ");
}

const SUGGESTION = {
  sourceId: "6f1c1d6e-7a0b-4f7e-9d57-1f3f8f0c2b11",
  content: { kind: "text" as const, title: "Fees", content: words("new") },
  current: { title: "Fees", body: { kind: "text" as const, content: words("old") } },
  decision: null,
};
const DECIDED = { ...SUGGESTION, decision: "declined" as const };

function marksOf(open: number, decided = 0) {
  const onPage = [...Array<typeof SUGGESTION>(open).fill(SUGGESTION), ...Array<typeof DECIDED>(decided).fill(DECIDED)];
  const compared = compareSuggestions(onPage);
  return compared.map(({ parts }) => parts.filter(({ kind }) => kind !== "same").length);
}

test("a few long suggestions are compared by words, and many with less work", () => {
  expect(marksOf(3)).toEqual([900, 900, 900]);
  expect(marksOf(30)).toEqual(Array(30).fill(2));
});

test("suggestions that are not compared take no share of the work", () => {
  expect(marksOf(3, 27)).toEqual([900, 900, 900, ...Array(27).fill(0)]);
});

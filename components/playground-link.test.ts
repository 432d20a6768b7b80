import { expect, test } from "vitest";
import { playgroundLink, questionOfFragment } from "./playground-link.ts";

/** Leaves room for the cookies and the address of the page before, of the 16 kB that the server accepts. */
const SENT_MAX = 4_000;

test.each([
  ["a long question", "How long? & #2 ".repeat(500)],
  ["a long question in other characters", "料金😀\n".repeat(1_500)],
])("a link to the playground has the whole of %s, and sends little of it", (_, question) => {
  const url = new URL(playgroundLink(question), "https://norte.example");
  expect(url.pathname).toBe("/playground");
  expect(url.search.length).toBeLessThan(SENT_MAX);
  expect(questionOfFragment(url.hash)).toBe(question);
});

test("a usual question is in the query, and other fragments have none", () => {
  const url = new URL(playgroundLink("Is 5 + 5 = 10?"), "https://norte.example");
  expect(url.searchParams.get("q")).toBe("Is 5 + 5 = 10?");
  expect([url.hash, "#history"].map(questionOfFragment)).toEqual([null, null]);
});

import { expect, it } from "vitest";
import { toPostingList } from "./read-index.ts";

it("keeps no more memory than the list has bytes", () => {
  const { postings } = toPostingList({ term: 1, block: 2, postings: "AQACAw==" });
  expect([...postings]).toEqual([1, 0, 2, 3]);
  expect(postings.buffer.byteLength).toBe(4);
});

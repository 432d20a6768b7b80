import { expect, it } from "vitest";
import { PostingCache } from "./posting-cache.ts";

const LIST = { term: 1, block: 0, postings: new Uint8Array(4) };

it("tells terms that no chunk contains from terms that were not asked for", () => {
  const cache = new PostingCache();
  cache.set(1, [LIST]);
  cache.set(2, []);
  expect([1, 2, 3].map((term) => cache.get(term))).toEqual([[LIST], [], undefined]);
  cache.clear();
  expect([1, 2].map((term) => cache.get(term))).toEqual([undefined, undefined]);
  expect(cache.bytes).toBe(0);
});

it("gives terms that no chunk contains 2 MB, in which they take no room from others", () => {
  const cache = new PostingCache();
  cache.set(0, [LIST]);
  const own = cache.bytes;
  for (let term = 1; term <= 20_000; term++) cache.set(term, []);
  expect(cache.get(0)).toEqual([LIST]);
  expect(cache.get(1)).toBeUndefined();
  expect(cache.get(20_000)).toEqual([]);
  expect(cache.bytes - own).toBeLessThanOrEqual(2 * 1024 * 1024);
});

it("lists the cached terms, the last used first, without those of long lists", () => {
  const cache = new PostingCache();
  for (const term of [1, 2, 3]) cache.set(term, [{ ...LIST, term }]);
  cache.set(4, [{ ...LIST, term: 4, postings: new Uint8Array(20_000) }]);
  cache.set(5, []);
  cache.get(1);
  expect(cache.terms()).toEqual([1, 3, 2, 5]);
});

import { expect, it } from "vitest";
import { cachedByCompany } from "./vector-cache.ts";

function counted(maxBytes?: number) {
  const embedded: string[][] = [];
  const embedFor = cachedByCompany(async (texts) => {
    embedded.push(texts);
    return texts.map((text) => [text.length, 0.5]);
  }, maxBytes);
  return { embedded, embedFor };
}

it("embeds a text once for a company, and keeps the order of the texts", async () => {
  const { embedded, embedFor } = counted();
  expect(await embedFor("a")(["one", "three", "one"])).toEqual([
    [3, 0.5],
    [5, 0.5],
    [3, 0.5],
  ]);
  expect(await embedFor("a")(["three", "seventeen"])).toEqual([
    [5, 0.5],
    [9, 0.5],
  ]);
  expect(embedded).toEqual([["one", "three"], ["seventeen"]]);
  await embedFor("a")(["one"]);
  expect(embedded).toHaveLength(2);
});

it("embeds the text again for another company", async () => {
  const { embedded, embedFor } = counted();
  await embedFor("a")(["one"]);
  await embedFor("b")(["one"]);
  expect(embedded).toEqual([["one"], ["one"]]);
});

it("remembers a bounded number of bytes, and still returns all that were asked for", async () => {
  const { embedded, embedFor } = counted(1_000);
  expect(await embedFor("a")(["one", "three", "seventeen"])).toEqual([
    [3, 0.5],
    [5, 0.5],
    [9, 0.5],
  ]);
  // two vectors of two numbers fit, and the last ones are kept
  await embedFor("a")(["three", "seventeen", "one"]);
  expect(embedded).toEqual([["one", "three", "seventeen"], ["one"]]);
});

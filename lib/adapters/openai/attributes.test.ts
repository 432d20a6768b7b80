import { describe, expect, it, test } from "vitest";
import { attributesInput, attributesOf, changedLabels, withoutResultFields } from "./attributes.ts";

test("too many attributes are one issue, whatever they hold", () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name${index}`, null]));
  expect(attributesInput.safeParse(many).error?.issues).toMatchObject([{ message: "must have at most 16 entries" }]);
  expect(attributesInput.safeParse({ name: null }).error?.issues).toMatchObject([{ path: ["name"] }]);
  expect(attributesInput.safeParse(null).error?.issues).toMatchObject([{ message: "must be an object" }]);
  expect(attributesInput.parse({ region: "EU", year: 2026 })).toEqual({ region: "EU", year: 2026 });
});

test("metadata may have the name of any member of objects", () => {
  const labels = { sourceId: "a", title: "A", sourceType: "document" as const, contentCategory: "", audience: [] };
  expect(attributesOf({ ...labels, path: [], metadata: { constructor: "Acme Build" } })).toMatchObject({
    constructor: "Acme Build",
  });
});

test("a value that is cut in the middle of an emoji stays valid text", () => {
  const long = `${"a".repeat(511)}😀`;
  const labels = { sourceId: "a", title: "A", sourceType: "document" as const, contentCategory: "", audience: [] };
  const { path, note } = attributesOf({ ...labels, path: [long], metadata: { note: long } });
  const cut = `${"a".repeat(511)}\uFFFD`;
  expect({ path, note }).toEqual({ path: cut, note: cut });
});

describe("attributes that are sent back", () => {
  const publicUrl = "https://knowledge.example.com";
  const labels = { sourceId: "a", title: "A", sourceType: "document" as const, contentCategory: "c", audience: ["x"] };
  const file = { fileName: "a.pdf", bytes: 1, sha256: "" };
  const source = (metadata: Record<string, unknown>) => ({
    ...{ ...labels, path: [], metadata, givenMetadata: metadata, file },
  });
  const metadataAfter = (metadata: Record<string, unknown>, given: Parameters<typeof changedLabels>[0]) =>
    changedLabels(given, source(metadata), publicUrl).metadata;
  const many = Object.fromEntries(Array.from("abcdefghijkl", (name) => [name, name]));
  const hit = { page: 3, url: `${publicUrl}/knowledge/chunks/1`, chunk_id: "1" };

  it.each<[string, Record<string, unknown>, typeof hit]>([
    ["the page of the chunk", many, hit],
    ["a URL in another spelling", { url: "https://example.com" }, { ...hit, url: "https://example.com/" }],
    ["a URL that is not for the web", { url: "intranet/a" }, hit],
    ["another page", { page: 1, chunk_id: "own", fileName: "own" }, hit],
  ])("change nothing but what is new, with %s", (_, metadata, more) => {
    const shown = attributesOf(
      { ...source(metadata), metadata: { ...metadata, fileName: "a.pdf", outdated: true } },
      more,
    );
    expect(metadataAfter(metadata, { ...shown, region: "EU" })).toEqual({ ...metadata, region: "EU" });
  });

  it("of a search result give a new file only labels and metadata", () => {
    const own = { audience: "staff", source_id: "a.pdf", region: "EU" };
    expect(withoutResultFields({ ...own, ...hit, title: "A", source_type: "document" })).toEqual(own);
    expect(withoutResultFields({ ...own, page: 2 })).toEqual({ ...own, page: 2 });
  });

  it("add no link to a chunk, even without the id of the chunk", () => {
    expect(metadataAfter({}, { url: hit.url, region: "EU" })).toEqual({ region: "EU" });
  });

  it("replace what every view shows, and what a chunk alone has is metadata without one", () => {
    expect(metadataAfter({ region: "EU", year: 1 }, { year: 1 })).toEqual({ year: 1 });
    expect(metadataAfter({ page: 1, url: "https://example.com" }, {})).toEqual({});
    const own = { page: 2, outdated: true, url: "https://example.org/b", fileName: "b.pdf" };
    expect(metadataAfter({ page: 1 }, own)).toEqual(own);
    const namesAfter = (given: Parameters<typeof changedLabels>[0]) =>
      Object.keys(metadataAfter(many, given)).toSorted().join("");
    expect(namesAfter({ a: "a" })).toBe("akl");
    expect(namesAfter({ a: "a", chunk_id: "1" })).toBe("aghijkl");
  });
});

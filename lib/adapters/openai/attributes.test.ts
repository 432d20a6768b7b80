import { expect, test } from "vitest";
import { attributesInput, attributesOf } from "./attributes.ts";

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

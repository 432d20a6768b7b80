import { expect, test } from "vitest";
import { attributesInput } from "./attributes.ts";

test("too many attributes are one issue, whatever they hold", () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name${index}`, null]));
  expect(attributesInput.safeParse(many).error?.issues).toMatchObject([{ message: "must have at most 16 entries" }]);
  expect(attributesInput.safeParse({ name: null }).error?.issues).toMatchObject([{ path: ["name"] }]);
  expect(attributesInput.safeParse(null).error?.issues).toMatchObject([{ message: "must be an object" }]);
  expect(attributesInput.parse({ region: "EU", year: 2026 })).toEqual({ region: "EU", year: 2026 });
});

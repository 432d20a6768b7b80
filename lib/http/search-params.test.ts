import { expect, test } from "vitest";
import { parseAsText } from "./search-params.ts";

test("empty text in an address is no value", () => {
  expect(parseAsText.parse("")).toBeNull();
  expect(parseAsText.parse("website")).toBe("website");
});

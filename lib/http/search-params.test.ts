import { expect, test } from "vitest";
import { parseAsText } from "./search-params.ts";

test("empty text in a URL counts as no value", () => {
  expect(parseAsText.parse("")).toBeNull();
  expect(parseAsText.parse("website")).toBe("website");
});

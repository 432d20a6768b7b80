import { expect, it } from "vitest";
import { splitCitations, splitText } from "./split-text.ts";

it("splits a text into matches and the parts between them", () => {
  expect(splitText("a1b22", /\d+/g)).toEqual([
    { at: 0, text: "a", matched: false },
    { at: 1, text: "1", matched: true },
    { at: 2, text: "b", matched: false },
    { at: 3, text: "22", matched: true },
  ]);
});

it("numbers in brackets within code stay text", () => {
  const parts = splitCitations("Use `argv[1]`. [2][3] Done.\n\n```\nx[1]\n```");
  expect(parts.filter(({ matched }) => matched).map(({ text }) => text)).toEqual(["[2]", "[3]"]);
  expect(parts[0]?.text).toBe("Use `argv[1]`. ");
});

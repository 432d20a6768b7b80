import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiffPart, diffTexts } from "./text-diff.ts";

const textOf = (parts: DiffPart[], side: DiffPart["kind"]) =>
  parts.flatMap(({ kind, text }) => (kind === "same" || kind === side ? text : [])).join("");

describe("diffTexts", () => {
  it("shows the words that changed", () => {
    expect(diffTexts("It costs 14 euros.", "It costs 20 euros.")).toMatchObject([
      { kind: "same", text: "It costs " },
      { kind: "removed", text: "14" },
      { kind: "added", text: "20" },
      { kind: "same", text: " euros." },
    ]);
    expect(diffTexts("", "")).toEqual([]);
    expect(diffTexts("same", "same")).toMatchObject([{ kind: "same", text: "same" }]);
  });

  it("compares long texts by lines", () => {
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i} of a long text with several words\n`);
    const parts = diffTexts(lines.join(""), lines.with(250, "another line\n").join(""));
    expect(parts.filter(({ kind }) => kind !== "same")).toMatchObject([
      { kind: "removed", text: lines[250] },
      { kind: "added", text: "another line\n" },
    ]);
  });

  it("contains both texts", () => {
    const words = fc.array(fc.constantFrom("a", "b", " ", "\n", "long word")).map((list) => list.join(""));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const parts = diffTexts(before, after);
        expect(textOf(parts, "removed")).toBe(before);
        expect(textOf(parts, "added")).toBe(after);
      }),
    );
  });
});

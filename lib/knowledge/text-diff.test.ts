import { describe, expect, it } from "vitest";
import { fc } from "../testing/property.ts";
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
    const changed = lines.with(0, "one other line\n").with(499, "another line\n");
    const parts = diffTexts(lines.join(""), changed.join(""));
    expect(parts.filter(({ kind }) => kind !== "same")).toMatchObject([
      { kind: "removed", text: lines[0] },
      { kind: "added", text: "one other line\n" },
      { kind: "removed", text: lines[499]?.trimEnd() },
      { kind: "added", text: "another line" },
    ]);
  });

  it("compares the words of one change in a text of any length", () => {
    const long = "A line of a text of millions of characters.\n".repeat(100_000);
    expect(diffTexts(`${long}It costs 14 euros.\n${long}`, `${long}It costs 20 euros.\n${long}`)).toMatchObject([
      { kind: "same", text: `${long}It costs ` },
      { kind: "removed", text: "14" },
      { kind: "added", text: "20" },
      { kind: "same", text: ` euros.\n${long}` },
    ]);
  });

  it("does not compare what differs over hundreds of thousands of characters", () => {
    const [before, after] = ["a b ".repeat(60_000), "c d ".repeat(60_000)];
    expect(diffTexts(before, after)).toMatchObject([
      { kind: "removed", text: before.trimEnd() },
      { kind: "added", text: after.trimEnd() },
      { kind: "same", text: " " },
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

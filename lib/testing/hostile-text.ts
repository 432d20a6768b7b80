type Sized = (length: number) => string;

/** Repeats a unit between two ends that make a search for the last one fail late. */
function repeated(unit: string, { before = "", after = "" } = {}): Sized {
  return (length) => before + unit.repeat(Math.max(1, Math.floor(length / unit.length))) + after;
}

/** A text of distinct words, against code that caches words or compares them with each other. */
function distinct(word: (index: number) => string): Sized {
  return (length) => {
    let text = "";
    for (let i = 0; text.length < length; i++) text += word(i);
    return text.slice(0, length);
  };
}

const character = (i: number) => String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000));

/** Texts of any length, of the kinds that make careless text functions slow. */
export const HOSTILE_TEXTS: Readonly<Record<string, Sized>> = {
  prose: repeated("The customer's contract ends after 24 months. "),
  "one word": repeated("x", { after: " y" }),
  "long words": repeated(`${"q7".repeat(48)} `),
  "short words": repeated("ab "),
  "marks on one letter": repeated("\u0301", { before: "a" }),
  "marks that change their order": repeated("\u0301\u0323"),
  "half-width sound marks": repeated("\uFF9E\u0301"),
  "a mark on each letter": repeated("a\u0301"),
  "letters that become eighteen": repeated("\uFDFA"),
  "zero width": repeated("\u200D\u200B"),
  emoji: repeated("😀"),
  "lone surrogates": repeated("\uD800"),
  "right to left": repeated("\u202E\u05D0\u200F"),
  sigmas: repeated("Σ'"),
  chinese: repeated("漢"),
  "chinese sentences": repeated("漢。"),
  "different chinese characters": distinct(character),
  "different chinese sentences": distinct((i) => `${character(i)}。`),
  thai: repeated("ก"),
  "full stops": repeated(".", { after: "a" }),
  "question marks": repeated("?,", { after: "a" }),
  brackets: repeated("[", { after: "a" }),
  citations: repeated("[1] ", { after: "x" }),
  "open citations": repeated("[1"),
  "citations beside code": repeated("`a`[1]"),
  quotes: repeated("\"'’"),
  "possessive s": repeated("'s"),
  digits: repeated("1"),
  "single digits": repeated("1 ", { after: "x" }),
  numbering: repeated("1. "),
  spaces: repeated(" ", { before: "a", after: "b" }),
  "odd spaces": repeated(" \t\u00A0", { before: "a\n", after: "b" }),
  "blank lines": repeated("\n ", { before: "a", after: "b" }),
  "short lines": repeated("a,\n"),
  "short paragraphs": repeated("a:\n\n"),
  abbreviations: repeated("e.g. "),
  "abbreviated numbers": repeated("No. 1 "),
  initials: repeated("a. b. "),
  interjections: repeated("No. "),
  pointers: repeated("It is. "),
  pipes: repeated("| ", { after: "a" }),
  "table rows": repeated("| a | b |\n"),
  cells: repeated("a: b; c: d\n"),
  "number signs": repeated("#", { before: "# ", after: "x" }),
  headings: repeated("# a\n\nb\n\n"),
  capitals: repeated("ABC DEF\n\n"),
  bullets: repeated("- a\n"),
  steps: repeated("1. a\n"),
  "nested quotes": repeated("> "),
  "nested lists": repeated("  - a\n"),
  stars: repeated("*a **b "),
  backticks: repeated("` `` "),
  fences: repeated("```\n"),
  "less than": repeated("<a "),
  comments: repeated("<!--"),
  links: repeated("[a](b"),
  images: repeated("![a]("),
  addresses: repeated("http://a.b "),
  mail: repeated("a@b.c "),
  semicolons: repeated("a; "),
  hyphens: repeated("a-"),
  backslashes: repeated("\\"),
  "quoted cells": repeated('"a",b\n'),
  "bad cells": repeated('a,"b" c\n'),
  commas: repeated(","),
  "different words": distinct((i) => `${i.toString(36)}${"abcdefgh"[i % 8]} `),
  "different long words": distinct((i) => `contract${i.toString(36)}ations `),
  "different sentences": distinct((i) => `The ${i.toString(36)}k holds contract${i.toString(36)}s. `),
  "beginnings of one word": distinct((i) => `${"a".repeat((i % 60) + 5)} `),
};

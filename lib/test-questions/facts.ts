import { escapePattern } from "../escape-pattern.ts";
import { plainText } from "../evaluation/score-answer.ts";

/** Scripts that write words, or a word and its particle, without a space between them. */
const SCRIPTS = ["Han", "Hira", "Kana", "Hang", "Thai", "Khmr", "Laoo", "Mymr"];
/** Also the variation selectors of symbols, which are marks but belong to no word. */
const UNSPACED = `[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join("")}\\p{VS}]`;
const IS_UNSPACED = new RegExp(UNSPACED, "u");
const OF_WORD = `(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}]`;
/** Around a number: "130" is not "30", but "30天" and the date "30.06.2026" contain it. */
const NUMBER = { start: "(?<!\\p{N})", end: "(?!\\p{N})" };
const WORD = { start: `(?<!${OF_WORD})`, end: `(?!${OF_WORD})` };
const NOTHING = { start: "", end: "" };

/** What earlier exports have around all alternatives together. */
const FORMER = { start: "(?<![\\p{L}\\p{N}])(?:", end: ")(?![\\p{L}\\p{N}])" };
/** What `escapePattern` has escaped. */
const ESCAPED = /\\([\\^$.*+?()[\]{}|/])/g;

/** Alternatives of a fact are separated by this. */
const OR = "|";

/** The texts that state a fact: `30 days | a month` gives two. */
function alternativesOf(fact: string): string[] {
  return fact
    .split(OR)
    .map((text) => plainText(text))
    .filter((text) => text !== "");
}

/**
 * The source of a regular expression, as `ragstone eval answers` reads it, that finds any of a fact's alternatives in
 * the plain text of an answer, as whole numbers and words. Nothing in it repeats, so a long answer costs linear time.
 */
export function patternOf(fact: string): string {
  return alternativesOf(fact).map(boundedPattern).join(OR);
}

function boundedPattern(text: string): string {
  const characters = [...text];
  return boundaryOf(characters.at(0)).start + escapePattern(text) + boundaryOf(characters.at(-1)).end;
}

/** What may not stand next to the first or last character of a text. */
function boundaryOf(character = ""): typeof WORD {
  if (/\p{N}/u.test(character)) return NUMBER;
  return IS_UNSPACED.test(character) ? NOTHING : WORD;
}

/** The fact of a pattern; null when the pattern is more than a list of texts. */
export function factOfPattern(pattern: string): string | null {
  const inner = between(pattern, FORMER) ?? pattern;
  const texts = inner.split(/(?<!\\)\|/).map((each) => unbounded(each).replace(ESCAPED, "$1"));
  const isPlain = [escapePattern, boundedPattern].some((write) => texts.map(write).join(OR) === inner);
  return isPlain && texts.every((text) => !text.includes(OR)) ? texts.join(` ${OR} `) : null;
}

function unbounded(pattern: string): string {
  const start = [NUMBER.start, WORD.start].find((each) => pattern.startsWith(each)) ?? "";
  const end = [NUMBER.end, WORD.end].find((each) => pattern.endsWith(each)) ?? "";
  return pattern.slice(start.length, pattern.length - end.length);
}

function between(pattern: string, { start, end }: typeof WORD): string | null {
  return pattern.startsWith(start) && pattern.endsWith(end) ? pattern.slice(start.length, -end.length) : null;
}

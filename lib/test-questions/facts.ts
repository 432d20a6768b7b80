import { escapePattern } from "../escape-pattern.ts";
import { plainText } from "../evaluation/score-answer.ts";

const BEFORE = "(?<![\\p{L}\\p{N}])(?:";
const AFTER = ")(?![\\p{L}\\p{N}])";
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
 * the plain text of an answer, as whole words. Nothing in it repeats, so a long answer costs linear time.
 */
export function patternOf(fact: string): string {
  return BEFORE + alternativesOf(fact).map(escapePattern).join(OR) + AFTER;
}

/** The fact of a pattern; null when the pattern is more than a list of texts. */
export function factOfPattern(pattern: string): string | null {
  const inner =
    pattern.startsWith(BEFORE) && pattern.endsWith(AFTER) ? pattern.slice(BEFORE.length, -AFTER.length) : pattern;
  const texts = inner.split(/(?<!\\)\|/).map((text) => text.replace(ESCAPED, "$1"));
  const isPlain = texts.every((text) => !text.includes(OR)) && texts.map(escapePattern).join(OR) === inner;
  return isPlain ? texts.join(` ${OR} `) : null;
}

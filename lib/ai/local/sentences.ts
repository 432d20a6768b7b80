import type { Language } from "../../language/function-words.ts";
import { sentenceSegmenter } from "../../language/sentence-segmenter.ts";
import { NEVER_END_SENTENCE, NEVER_END_SENTENCE_IN_GERMAN, PRECEDES_NUMBER } from "./abbreviations.ts";

/** Between a sentence that ends in a footnote mark, as "free.[3]", and the next; the Unicode rules miss that end. */
const AFTER_NOTE = /(?<=[.!?](?:\[\d+\])+ )(?=\p{Lu})/u;
/** Long enough to hold any abbreviation at the end of a sentence; looking back further would take quadratic time. */
const END_LENGTH = 40;
const INTERJECTION_LENGTH_MAX = 14;
/** Initials such as "U.S", but not "p.m", which often ends a sentence. */
const INITIALS = /^(?!a\.m$|p\.m$)\p{L}(?:\.\p{L}){1,3}$/u;

/**
 * Splits a paragraph into sentences by Unicode's rules, and rejoins those cut at an abbreviation, an initial or a date.
 */
export function sentencesOf(paragraph: string, language: Language): string[] {
  const sentences: string[] = [];
  const segmenter = sentenceSegmenter(language);
  const segments = paragraph.split(AFTER_NOTE).flatMap((part) => [...segmenter.segment(part)]);
  let start = 0;
  let end = 0;
  for (const [index, { segment }] of segments.entries()) {
    end += segment.length;
    const next = segments[index + 1]?.segment;
    if (next !== undefined) {
      if (end - start <= INTERJECTION_LENGTH_MAX && isInterjection(paragraph.slice(start, end))) continue;
      if (sentenceContinues(paragraph.slice(start, end), next, language)) continue;
    }
    sentences.push(paragraph.slice(start, end).trim());
    start = end;
  }
  return sentences.filter((sentence) => sentence !== "");
}

/** Whether a sentence, such as "No." or "Yes, free.", means nothing without the next one. */
function isInterjection(text: string): boolean {
  return text.trim().split(/\s+/).length <= 2;
}

/** Whether the sentence at the end of a text goes on in the next text, after an abbreviation, an initial or a day. */
export function sentenceContinues(text: string, next: string, language: Language | null): boolean {
  const end = text.slice(-END_LENGTH);
  if (/^\p{Ll}/u.test(next) || /\[\s*$/.test(end)) return true;
  const last = /(\S+)\.["'”’)\]]*\s*$/u
    .exec(end)?.[1]
    ?.toLowerCase()
    .replace(/^.*["'“‘’([]/u, "");
  if (last === undefined) return false;
  if (/^\p{L}$/u.test(last) || INITIALS.test(last) || NEVER_END_SENTENCE.has(last)) return true;
  if (/^\d/.test(next)) return PRECEDES_NUMBER.has(last) || /^\d{1,2}$/.test(last);
  return language === "de" && (/^\d{1,2}$/.test(last) || NEVER_END_SENTENCE_IN_GERMAN.has(last));
}

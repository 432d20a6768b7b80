import { readFileSync } from "node:fs";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { projectRoot } from "../project-root.ts";
import { FUNCTION_WORDS, LANGUAGES, type Language } from "./function-words.ts";
import { foldAccents, stemTokens, wordsOf } from "./tokens.ts";

/** Translations of a word beside each other: more would match too much. */
const TRANSLATIONS_MAX = 4;
/** In letters: the least part of a compound that is looked up alone. */
const PART_LENGTH_MIN = 4;
/** The words of a question that are translated: a longer one has enough words that texts of another language share. */
const WORDS_MAX = 40;
/** Longer words are not looked up. */
const WORD_LENGTH_MAX = 40;
/** Languages that write compounds as one word, and what may stand between their parts. */
const LINKS: Partial<Record<Language, readonly string[]>> = { de: ["", "s", "n", "en", "es"], nl: ["", "s", "en"] };

/** Endings of plurals and verbs that a stem may keep, and what the word in the table has instead. */
const ENDINGS: Record<Language, readonly [written: string, listed: string][]> = {
  en: [["s", ""]],
  it: [
    ["i", "o"],
    ["i", "e"],
    ["e", "a"],
  ],
  es: [
    ["s", ""],
    ["es", ""],
  ],
  de: [
    ["e", ""],
    ["en", ""],
    ["n", ""],
    ["t", "en"],
    ["et", "en"],
  ],
  fr: [
    ["s", ""],
    ["x", ""],
  ],
  pt: [
    ["s", ""],
    ["es", ""],
  ],
  nl: [
    ["s", ""],
    ["en", ""],
    ["t", "en"],
  ],
};

/** A row of the table, and the word that it was found by. */
interface Entry {
  word: string;
  row: string;
}

/** The table by the words of one language, as written and by stem. */
interface Index {
  words: Map<string, Entry[]>;
  stems: Map<string, Entry[]>;
}

/** The indexes of the usual words of a language, and of their irregular forms. */
interface Indexes {
  usual: Index;
  forms: Index;
}

/** The rows of a word, or of each of its parts. */
type Parts = readonly (readonly string[])[];

let rows: readonly string[] | undefined;
/** Each language of an index looks up the words of a question again. */
const looked = new LRUCache<string, Parts>({ max: 2_000 });
const indexes = new Map<Language, Indexes>();

/**
 * The usual words of another language for a word, the best first, each in lower case. A compound that is not in the
 * table is translated by its parts. None when it is unknown.
 */
export function translationsOf(word: string, from: Language, to: Language): readonly string[] {
  if (from === to || word.length > WORD_LENGTH_MAX) return [];
  const parts = partsOf(word, from);
  return parts.flatMap((rows) => usualWords(rows, to).slice(0, parts.length === 1 ? TRANSLATIONS_MAX : 1));
}

/**
 * The translations of the first words of a question, none for an unknown word; empty when a language is unclear or both
 * are the same.
 */
export function translateWords(
  words: readonly string[],
  from: Language | null,
  to: Language | null,
): ReadonlyMap<string, readonly string[]> {
  if (from === null || to === null || from === to) return new Map();
  return new Map(words.slice(0, WORDS_MAX).map((word) => [word, translationsOf(word, from, to)]));
}

/**
 * A question word by word in another language, without function words. A word that is not in the table stays as it is.
 * @param kept words that stay too, such as names that the table takes for words
 */
export function glossOf(text: string, from: Language, to: Language, kept: ReadonlySet<string> = new Set()): string {
  return wordsOf(text)
    .filter((word) => !FUNCTION_WORDS[from].has(word))
    .slice(0, WORDS_MAX)
    .map((word) => (kept.has(word) ? word : (translationsOf(word, from, to)[0] ?? word)))
    .join(" ");
}

function rowsOf(word: string, language: Language): readonly string[] {
  const { usual, forms } = indexesOf(language);
  const [plain, stem] = [foldAccents(word), stemOf(word, language)];
  const found = [
    ...(usual.words.get(plain) ?? nearest(plain, usual.stems.get(stem))),
    ...(forms.words.get(plain) ?? []),
  ];
  const entries = found.length > 0 ? found : (forms.stems.get(stem) ?? listedAs(plain, language, usual.words));
  return [...new Set(entries.map(({ row }) => row))];
}

/** The entries, first those that begin most like the word: one stem may belong to a noun and to a verb. */
function nearest(plain: string, entries: readonly Entry[] = []): Entry[] {
  return entries.toSorted((a, b) => commonStart(b.word, plain) - commonStart(a.word, plain));
}

function commonStart(one: string, other: string): number {
  const end = [...one].findIndex((letter, index) => letter !== other[index]);
  return end < 0 ? one.length : end;
}

function listedAs(plain: string, language: Language, words: Index["words"]): readonly Entry[] {
  return ENDINGS[language].flatMap(([written, listed]) =>
    plain.endsWith(written) ? (words.get(plain.slice(0, -written.length) + listed) ?? []) : [],
  );
}

/** The rows of a word, or of each part of a compound; empty when it is unknown. */
function partsOf(word: string, language: Language): Parts {
  const key = `${language} ${word}`;
  const known = looked.get(key);
  if (known) return known;
  const whole = rowsOf(word, language);
  const parts = whole.length > 0 ? [whole] : (compoundParts(word, language) ?? []);
  looked.set(key, parts);
  return parts;
}

function compoundParts(word: string, language: Language): Parts | null {
  for (const link of LINKS[language] ?? []) {
    for (let end = word.length - PART_LENGTH_MIN; end >= PART_LENGTH_MIN; end--) {
      const first = word.slice(0, end);
      if (!first.endsWith(link)) continue;
      const [before, after] = [rowsOf(first.slice(0, end - link.length), language), rowsOf(word.slice(end), language)];
      if (before.length > 0 && after.length > 0) return [before, after];
    }
  }
  return null;
}

/** The words that texts use, of all rows in turn: the first of each row, then the second of each. */
function usualWords(found: readonly string[], language: Language): readonly string[] {
  const cells = found.map((row) => wordsIn(cellOf(row, language).split(";", 1)[0] ?? ""));
  const longest = Math.max(...cells.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, place) => cells.flatMap((cell) => cell[place] ?? [])).flat();
  return [...new Set(inTurn)];
}

function cellOf(row: string, language: Language): string {
  return row.split("\t")[LANGUAGES.indexOf(language)] ?? "";
}

function wordsIn(list: string): string[] {
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function stemOf(word: string, language: Language): string {
  return stemTokens(word, language).map(foldAccents).join(" ");
}

function indexesOf(language: Language): Indexes {
  const known = indexes.get(language);
  if (known) return known;
  rows ??= readFileSync(path.join(projectRoot(), "models", "dictionary", "words.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  const [usual, forms] = [indexOf(rows, language, 0), indexOf(rows, language, 1)];
  indexes.set(language, { usual, forms });
  return { usual, forms };
}

/** @param part of a cell: 0 for the usual words, 1 for the irregular forms */
function indexOf(rows: readonly string[], language: Language, part: 0 | 1): Index {
  const index: Index = { words: new Map(), stems: new Map() };
  for (const row of rows) {
    // a phrase is a translation only, because questions are looked up word by word
    const words = wordsIn(cellOf(row, language).split(";")[part] ?? "").filter((word) => !word.includes(" "));
    for (const word of words.map(foldAccents)) {
      addTo(index.words, word, { word, row });
      addTo(index.stems, stemOf(word, language), { word, row });
    }
  }
  return index;
}

function addTo(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

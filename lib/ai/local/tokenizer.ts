import { readFile } from "node:fs/promises";
import path from "node:path";
import { Tokenizer as HuggingFaceTokenizer } from "@huggingface/tokenizers";
import { LRUCache } from "lru-cache";
import { copyOfWord } from "../../copy-of-word.ts";
import { limitMarks } from "../../normalize.ts";
import { unusableModelError } from "./local-model-error.ts";
import { wordPieces } from "./word-pieces.ts";

/** Two texts as the ids of one, and which of the two each id belongs to: 0 or 1. */
export interface TokenPair {
  ids: number[];
  types: number[];
}

export interface Tokenizer {
  /**
   * Returns ids with the special tokens around them, at most `maxTokens`. A longer text is cut at its end, before the
   * last special token.
   */
  encode(text: string, maxTokens: number): number[];
  /** Returns a question and a document as one text of at most `max` ids. Both are cut at their end. */
  encodePair(question: string, document: string, limits: { questionMax: number; max: number }): TokenPair;
  /** Counts the tokens of a text, without special tokens. Above `most`, it stops counting. */
  count(text: string, most?: number): number;
  /**
   * Counts pieces, and words as runs of letters, digits and marks. Their ratio shows how foreign a text is to the
   * vocabulary. A word that the vocabulary lacks is one token, but has as many pieces as characters.
   */
  fertility(text: string): { pieces: number; words: number };
  /** Whether the vocabulary has more than half of a text, so that a vector of the text says something. */
  canRead(text: string): boolean;
}

const CACHED_WORDS = 32_768;
const CACHED_WORD_CHARS = 32;
const CHINESE = "\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uF900-\\uFAFF";
/** Without brackets, because special tokens such as [MASK] have them. */
const MARKS = "!-/:;=?@\\\\^-`{-~";
/** The model reads each Chinese character and each punctuation mark as a word, whatever its neighbours. */
const WORD = new RegExp(`[${MARKS}${CHINESE}]|[^\\s${MARKS}${CHINESE}]+`, "g");
/** The lower case of Σ depends on letters beyond a punctuation mark. */
const WORD_BESIDE_SIGMA = new RegExp(`[${CHINESE}]|[^\\s${CHINESE}]+`, "g");
const RUN_OF_LETTERS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

const loaded = new Map<string, Promise<Tokenizer>>();

/**
 * Loads the tokenizer of a model folder, once per folder.
 * @throws LocalModelError
 */
export function loadTokenizer(modelDir: string): Promise<Tokenizer> {
  const file = path.resolve(modelDir, "tokenizer.json");
  const known = loaded.get(file);
  if (known) return known;
  const loading = readTokenizer(file);
  loaded.set(file, loading);
  loading.catch(() => loaded.delete(file));
  return loading;
}

async function readTokenizer(file: string): Promise<Tokenizer> {
  try {
    const json = JSON.parse(await readFile(file, "utf8"));
    const tokenizer = new HuggingFaceTokenizer(json, {});
    if (tokenizer.model && json.model.type === "WordPiece") {
      tokenizer.model.encode = wordPieces(tokenizer.model, json.model);
    }
    const unknownId = json.model.vocab?.[json.model.unk_token];
    return createTokenizer(tokenizer, json.pre_tokenizer?.type === "BertPreTokenizer", unknownId);
  } catch (error) {
    throw unusableModelError(path.dirname(file), `${file} cannot be read`, { cause: error });
  }
}

/**
 * @param splitsAtSpaces whether a text can be tokenized word by word, so that words can be cached
 * @param unknownId of the token for words that the vocabulary lacks
 */
function createTokenizer(tokenizer: HuggingFaceTokenizer, splitsAtSpaces: boolean, unknownId?: number): Tokenizer {
  const words = new LRUCache<string, readonly number[]>({ max: CACHED_WORDS });
  const { before, after } = specialTokens(tokenizer);
  const around = pairTokens(tokenizer);

  function piecesOf(text: string): readonly number[] {
    return tokenizer.encode(limitMarks(text), { add_special_tokens: false }).ids;
  }

  function piecesOfWord(word: string): readonly number[] {
    if (word.length > CACHED_WORD_CHARS) return piecesOf(word);
    const known = words.get(word);
    if (known) return known;
    const pieces = piecesOf(word);
    words.set(copyOfWord(word), pieces);
    return pieces;
  }

  function* wordsOf(text: string): Generator<{ word: string; ids: readonly number[] }> {
    if (!splitsAtSpaces) return yield { word: text, ids: piecesOf(text) };
    const words = text.matchAll(text.includes("Σ") ? WORD_BESIDE_SIGMA : WORD);
    for (const [word] of words) yield { word, ids: piecesOfWord(word) };
  }

  /** Counts the pieces of a text, and those of words that the vocabulary lacks: one for each character. */
  function countPieces(text: string): { known: number; unknown: number } {
    const pieces = { known: 0, unknown: 0 };
    for (const { word, ids } of wordsOf(text)) {
      if (ids.length > 0 && ids.every((id) => id === unknownId)) pieces.unknown += [...word].length;
      else pieces.known += ids.length;
    }
    return pieces;
  }

  function count(text: string, most = Number.POSITIVE_INFINITY): number {
    let pieces = 0;
    for (const { ids } of wordsOf(text)) {
      pieces += ids.length;
      if (pieces > most) break;
    }
    return pieces;
  }

  /** The first ids of a text, without special tokens. */
  function firstIds(text: string, most: number): number[] {
    const first: number[] = [];
    for (const { ids } of wordsOf(text)) {
      for (const id of ids.slice(0, most - first.length)) first.push(id);
      if (first.length === most) break;
    }
    return first;
  }

  return {
    count,
    encode(text, maxTokens) {
      return [...before, ...firstIds(text, maxTokens - before.length - after.length), ...after];
    },
    encodePair(question, document, { questionMax, max }) {
      const added = around.before.length + around.between.length + around.after.length;
      const first = firstIds(question, Math.min(questionMax, max - added));
      const second = firstIds(document, max - added - first.length);
      const ids = [...around.before, ...first, ...around.between, ...second, ...around.after];
      const secondStart = ids.length - around.after.length - second.length;
      return { ids, types: ids.map((_, index) => (index < secondStart ? 0 : around.secondType)) };
    },
    fertility(text) {
      const { known, unknown } = countPieces(text);
      return { pieces: known + unknown, words: text.match(RUN_OF_LETTERS)?.length ?? 0 };
    },
    canRead(text) {
      const { known, unknown } = countPieces(text);
      return known > unknown;
    },
  };
}

/** The tokens that the tokenizer puts around every text, such as [CLS] and [SEP]. */
function specialTokens(tokenizer: HuggingFaceTokenizer): { before: number[]; after: number[] } {
  const plain = tokenizer.encode("a", { add_special_tokens: false }).ids;
  const whole = tokenizer.encode("a").ids;
  const start = indexOfRun(whole, plain, 0);
  return { before: whole.slice(0, start), after: whole.slice(start + plain.length) };
}

/** The special tokens around and between the two texts of a pair. RoBERTa's family has no type for the second text. */
function pairTokens(tokenizer: HuggingFaceTokenizer) {
  const [first, second] = ["a", "b"].map((text) => tokenizer.encode(text, { add_special_tokens: false }).ids);
  const { ids, token_type_ids: types } = tokenizer.encode("a", { text_pair: "b", return_token_type_ids: true });
  const firstAt = indexOfRun(ids, first ?? [], 0);
  const firstEnd = firstAt + (first?.length ?? 0);
  const secondAt = indexOfRun(ids, second ?? [], firstEnd);
  const secondEnd = secondAt + (second?.length ?? 0);
  return {
    before: ids.slice(0, firstAt),
    between: ids.slice(firstEnd, secondAt),
    after: ids.slice(secondEnd),
    secondType: types[secondAt] ?? 0,
  };
}

/** Where the run begins in the ids, at `from` or later. */
function indexOfRun(ids: number[], run: number[], from: number): number {
  return ids.findIndex((_, index) => index >= from && run.every((id, offset) => ids[index + offset] === id));
}

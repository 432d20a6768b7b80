import { readFile } from "node:fs/promises";
import path from "node:path";
import { Tokenizer as HuggingFaceTokenizer } from "@huggingface/tokenizers";
import { LRUCache } from "lru-cache";
import { copyOfWord } from "../../copy-of-word.ts";
import { limitMarks } from "../../normalize.ts";
import { unusableModelError } from "./model-folder.ts";
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
   * Counts tokens, and words as runs of letters and digits. Their ratio shows how foreign a text is to the vocabulary.
   */
  fertility(text: string): { pieces: number; words: number };
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
const RUN_OF_LETTERS = /[\p{L}\p{N}]+/gu;

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
    return createTokenizer(tokenizer, json.pre_tokenizer?.type === "BertPreTokenizer");
  } catch (error) {
    throw unusableModelError(path.dirname(file), `${file} cannot be read`, { cause: error });
  }
}

/** @param splitsAtSpaces whether a text can be tokenized word by word, so that words can be cached */
function createTokenizer(tokenizer: HuggingFaceTokenizer, splitsAtSpaces: boolean): Tokenizer {
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

  function* parts(text: string): Generator<readonly number[]> {
    if (!splitsAtSpaces) return yield piecesOf(text);
    for (const [word] of text.matchAll(text.includes("Σ") ? WORD_BESIDE_SIGMA : WORD)) yield piecesOfWord(word);
  }

  function count(text: string, most = Number.POSITIVE_INFINITY): number {
    let pieces = 0;
    for (const part of parts(text)) {
      pieces += part.length;
      if (pieces > most) break;
    }
    return pieces;
  }

  /** The first ids of a text, without special tokens. */
  function firstIds(text: string, most: number): number[] {
    const ids: number[] = [];
    for (const part of parts(text)) {
      for (const id of part.slice(0, most - ids.length)) ids.push(id);
      if (ids.length === most) break;
    }
    return ids;
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
    fertility: (text) => ({ pieces: count(text), words: text.match(RUN_OF_LETTERS)?.length ?? 0 }),
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

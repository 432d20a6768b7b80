import type { Tokenizer } from "@huggingface/tokenizers";

type Model = NonNullable<Tokenizer["model"]>;

interface Vocabulary {
  pieces: ReadonlySet<string>;
  lengthMax: number;
}

/** The settings of the model in a `tokenizer.json`. */
interface Settings {
  continuing_subword_prefix?: string;
  max_input_chars_per_word?: number;
}

/**
 * Cuts words into WordPiece tokens, each the longest in the vocabulary, as the library does. The library takes cubic
 * time for a long word, this function linear time.
 */
export function wordPieces(model: Model, settings: Settings): Model["encode"] {
  const { continuing_subword_prefix: prefix = "##", max_input_chars_per_word: charactersMax = 100 } = settings;
  const all = [...model.tokens_to_ids.keys()];
  const first = vocabularyOf(all);
  const further = vocabularyOf(
    all.filter((piece) => piece.startsWith(prefix)).map((piece) => piece.slice(prefix.length)),
  );
  const unknown = model.unk_token ?? "";

  function cut(word: string): string[] {
    // characters are counted as code points
    if (word.length > charactersMax && [...word].length > charactersMax) return [unknown];
    const pieces: string[] = [];
    for (let start = 0; start < word.length; ) {
      const piece = longestAt(word, start, start === 0 ? first : further);
      if (piece === "") return [unknown];
      pieces.push(start === 0 ? piece : prefix + piece);
      start += piece.length;
    }
    return pieces;
  }
  return (words) => words.flatMap(cut);
}

function longestAt(word: string, start: number, { pieces, lengthMax }: Vocabulary): string {
  for (let end = Math.min(word.length, start + lengthMax); end > start; end--) {
    const piece = word.slice(start, end);
    if (pieces.has(piece)) return piece;
  }
  return "";
}

function vocabularyOf(pieces: string[]): Vocabulary {
  return { pieces: new Set(pieces), lengthMax: pieces.reduce((most, { length }) => Math.max(most, length), 0) };
}

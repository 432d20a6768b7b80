import { detectLanguage, type Language } from "../language/language.ts";
import { once } from "../once.ts";
import type { ContextChunk } from "./context-chunk.ts";
import { readableFacts } from "./facts.ts";
import { sentencesOf } from "./local/sentences.ts";
import { termsOf } from "./local/terms.ts";

/** A chunk that sentences of an answer are compared with. Each part is computed once, when it is first needed. */
export interface ReadSource {
  language: () => Language | null;
  /** Of the title, the path and the content. */
  facts: () => ReturnType<typeof readableFacts>;
  /** Words of the same texts, in lower case. */
  words: () => ReadonlySet<string>;
  /** The sentences of the content. */
  statements: (language: Language) => readonly Statement[];
}

interface Statement {
  text: string;
  /** Without numbers. */
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

export function readSource({ title, path, content }: ContextChunk): ReadSource {
  const text = [title, ...path, content].join("\n");
  const statements = new Map<Language, Statement[]>();
  return {
    language: once(() => detectLanguage(content)),
    facts: once(() => readableFacts(text)),
    words: once(() => wordSetOf(text)),
    statements(language) {
      const known = statements.get(language);
      if (known) return known;
      const read = content
        .split("\n")
        .flatMap((line) => sentencesOf(line, language).map((each) => stated(each, language)));
      statements.set(language, read);
      return read;
    },
  };
}

/** The words of a text, in lower case. */
export function wordSetOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** The terms of a sentence without numbers. */
export function wordTermsOf(text: string, language: Language): Set<string> {
  return new Set([...termsOf(text, language)].filter((term) => !/\p{N}/u.test(term)));
}

function stated(text: string, language: Language): Statement {
  return { text, terms: wordTermsOf(text, language), numbers: readableFacts(text).numbers };
}

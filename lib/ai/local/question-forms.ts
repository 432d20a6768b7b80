import type { Language } from "../../language/function-words.ts";
import { wordsOf } from "../../language/tokens.ts";
import { glossOf } from "../../language/translate.ts";
import type { ContextChunk } from "../context-chunk.ts";
import { typeWords } from "./question-type.ts";

/** A question as the chunks of one language are compared with it. */
export interface QuestionForm {
  question: string;
  language: Language;
  /** The words that say what type of fact it asks for, such as "how much" and "cost". */
  typeWords: string;
  /** Whether it is not in the question's own language. */
  isTranslated: boolean;
}

/**
 * The form of a question for each chunk: as it is, or word by word in the language of the chunk, when that is another one.
 * Chunks of one language share a form.
 */
export function questionForms(
  question: string,
  language: Language,
  chunks: readonly Pick<ContextChunk, "language" | "content">[],
): QuestionForm[] {
  const own: QuestionForm = { question, language, typeWords: typeWords(question), isTranslated: false };
  const forms = new Map<Language, QuestionForm>([[language, own]]);
  return chunks.map((chunk) => {
    const other = chunk.language ?? language;
    const form = forms.get(other) ?? {
      question: glossOf(question, language, other, wordsIn(chunks, other)),
      language: other,
      typeWords: glossOf(own.typeWords, language, other),
      isTranslated: true,
    };
    forms.set(other, form);
    return form;
  });
}

/** The words of the chunks in a language. */
function wordsIn(chunks: readonly Pick<ContextChunk, "language" | "content">[], language: Language): Set<string> {
  return new Set(chunks.filter((chunk) => chunk.language === language).flatMap(({ content }) => wordsOf(content)));
}

import { questionType, typeWords } from "../ai/local/question-type.ts";
import { escapePattern } from "../escape-pattern.ts";
import { FUNCTION_WORDS } from "../language/function-words.ts";
import { detectLanguage, type Language } from "../language/language.ts";
import { contentWords } from "../language/tokens.ts";
import { type ChatMessage, readMessages } from "./chat-history.ts";
import {
  COURTESY,
  FOLLOW_UP_WORDS,
  HOURS,
  NAMED_FACT,
  POSSESSIVE,
  SUBJECT,
  VERB_OR_POSSESSIVE,
} from "./follow-up-words.ts";

/** In characters: a longer question names its own subject. */
const QUESTION_MAX = 200;
/** Content words up to which a question with a reference cannot stand alone. */
const CONTENT_MAX = { opening: 3, reference: 2, demonstrative: 4 };
const FRAGMENT_WORDS_MAX = 5;
/** A question of a type, such as "Within how many days?", has no more words. */
const SHORT_WORDS_MAX = 4;
/** Types of facts that a company has by itself, such as its phone number. */
const OF_COMPANY: ReadonlySet<string | null> = new Set(["phone", "email", "account"]);
/** A mark inside a number, such as "2.5 kg", ends no sentence. */
const SENTENCE_END = /(?<=[.!?])\s+/u;
/** How many questions back a chain of follow-ups is followed. */
const DEPTH_MAX = 3;
/** Maximum number of words taken from the previous question, and of names from the reply. */
const TAKEN_MAX = { words: 8, names: 3 };
/** Asks for a name, which the reply then gives. */
const ASKS_NAME =
  /(?<!\p{L})(?:which|who|what is the name|quale|quali|chi|cuál|cuáles|quién|welche[rsnm]?|wer|quel(?:le)?s?|qui|qual|quais|quem|welke?|wie is)(?!\p{L})/iu;
const NAME = /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}-]+(?: (?:\p{Lu}[\p{L}\p{N}-]*|\p{N}+))*/gu;

/** A question that a chat leads up to, and what it is completed from. */
export interface FollowUp {
  question: string;
  language: Language;
  /** Messages before the question, oldest first. */
  messages: ChatMessage[];
}

/**
 * The question with the chat before it, if it cannot be understood alone; else null. Such questions begin with "and",
 * refer to something with "it" or "this plan", or have no content words of their own.
 */
export function followUpOf(question: string, history: string): FollowUp | null {
  if (question.length > QUESTION_MAX || COURTESY.test(question)) return null;
  const messages = readMessages(history);
  // the history may already contain the question
  while (messages.length > 0 && oneLine(messages.at(-1)?.text ?? "") === oneLine(question)) messages.pop();
  if (messages.length === 0) return null;
  const language = languageOf(question, messages);
  return needsContext(question, language) || replacesName(question, messages) ? { question, language, messages } : null;
}

/** The language of a question; that of the chat when the question is too short to tell. */
function languageOf(question: string, messages: readonly ChatMessage[]): Language {
  const own = detectLanguage(question);
  if (own !== null && wordsOf(question).length > FRAGMENT_WORDS_MAX) return own;
  return detectLanguage([...messages.map(({ text }) => text), question].join(" ")) ?? own ?? "en";
}

/**
 * The question completed by rules: with words of the previous question, or as the previous question about a new
 * subject.
 */
export function completeByRules({ question, language, messages }: FollowUp, depth = DEPTH_MAX): string {
  const end = messages.findLastIndex(isAsked);
  const asked = messages[end];
  if (asked === undefined) return question;
  const before = messages.slice(0, end);
  const lastSentence = lastQuestionOf(asked.text);
  const isChained = depth > 0 && before.length > 0 && needsContext(lastSentence, language);
  const previous = isChained
    ? completeByRules({ question: lastSentence, language, messages: before }, depth - 1)
    : lastSentence;

  const { opening, instead, clause } = FOLLOW_UP_WORDS[language];
  const own = withoutMark(question.replace(instead, "").replace(opening, "").replace(opening, ""));
  if (own !== "" && !clause.test(own) && hasContent(own, language))
    return aboutOther(withoutMark(previous), own, language);

  const names = ASKS_NAME.test(previous) ? namesIn(messages.slice(end + 1)) : [];
  const taken = [...names, ...wordsToTake(previous, own, language)].slice(0, TAKEN_MAX.words);
  return taken.length === 0 ? question : `${own || withoutMark(question)} (${taken.join(" ")})?`;
}

function needsContext(question: string, language: Language): boolean {
  const { opening, instead, reference, demonstrative, clause, preposition } = FOLLOW_UP_WORDS[language];
  const text = question.trim();
  const content = ownWords(text, language).length;
  if (instead.test(text)) return true;
  if (asksOnlyForType(text, content)) return true;
  if (opening.test(text) && content <= CONTENT_MAX.opening) return true;
  if (reference.test(text) && content <= CONTENT_MAX.reference) return true;
  if (demonstrative.test(text) && content <= CONTENT_MAX.demonstrative) return true;
  return preposition.test(text) && !clause.test(text) && wordsOf(text).length <= FRAGMENT_WORDS_MAX;
}

/** Whether a question has hardly more than the words of its type: "Within how many days?", "Who pays?" */
function asksOnlyForType(text: string, content: number): boolean {
  const type = questionType(text);
  if ((OF_COMPANY.has(type) || NAMED_FACT.test(text)) && VERB_OR_POSSESSIVE.test(text)) return false;
  if ((type === "address" || HOURS.test(text)) && POSSESSIVE.test(text)) return false;
  if (content === 0) return true;
  const isShort = content === 1 && wordsOf(text).length <= SHORT_WORDS_MAX;
  return isShort && typeWords(text) !== "" && !SUBJECT.test(text);
}

/**
 * Whether the question is only a name that differs from one in the previous question: "Fibra 1000?" after "Fibra 100".
 */
function replacesName(question: string, messages: readonly ChatMessage[]): boolean {
  const own = withoutMark(question);
  const asked = messages.findLast(isAsked);
  return wordsOf(own).length <= FRAGMENT_WORDS_MAX && asked !== undefined && otherName(asked.text, own) !== null;
}

/** Content words that say what a question is about, not what type of fact it asks for. */
function ownWords(text: string, language: Language): string[] {
  const asking = new Set(contentWords(typeWords(text), null));
  return contentWords(text, language).filter((word) => !asking.has(word));
}

function hasContent(text: string, language: Language): boolean {
  return contentWords(text, language).length > 0;
}

/** The previous question about a new subject: replaces a phrase with the same first word, or else adds the new one. */
function aboutOther(previous: string, own: string, language: Language): string {
  const renamed = otherName(previous, own);
  if (renamed !== null) return `${renamed}?`;
  const [first = "", second = ""] = own.split(" ");
  if (!FUNCTION_WORDS[language].has(first.toLowerCase())) return `${previous} ${own}?`;
  const named = new RegExp(`(?<!\\p{L})${escapePattern(first)} \\p{Lu}[\\p{L}-]+`, "u");
  if (/^\p{Lu}/u.test(second) && named.test(previous)) return `${previous.replace(named, () => own)}?`;
  const end = new RegExp(`(?<!\\p{L})${escapePattern(first)}(?: [^ ]+){1,3}$`, "iu");
  return `${end.test(previous) ? previous.replace(end, () => own) : `${previous} ${own}`}?`;
}

/** The previous question with its name replaced by one that begins with the same word, or else null. */
function otherName(previous: string, own: string): string | null {
  const [name] = own.match(/\p{Lu}[\p{L}-]+ \p{N}+/u) ?? [];
  const [family, number] = name?.split(" ") ?? [];
  if (name === undefined || family === undefined || number === undefined) return null;
  const former = new RegExp(`(?<!\\p{L})${escapePattern(family)} \\p{N}+`, "u");
  const found = former.exec(previous)?.[0];
  return found === undefined || found === name ? null : withoutMark(previous).replace(former, name);
}

/** Content words of the previous question, as written, which the question does not have. */
function wordsToTake(previous: string, own: string, language: Language): string[] {
  const known = new Set(contentWords(own, language));
  const wanted = new Set(ownWords(previous, language).filter((word) => !known.has(word)));
  return wordsOf(previous).filter((word) => contentWords(word, null).some((part) => wanted.has(part)));
}

function namesIn(messages: readonly ChatMessage[]): string[] {
  const names = messages.flatMap(({ text }) => text.match(NAME) ?? []);
  return [...new Set(names)].slice(0, TAKEN_MAX.names);
}

/**
 * Whether the client wrote a message, and not only thanks; where the history does not say who wrote, whether it asks
 * something.
 */
function isAsked({ from, text }: ChatMessage): boolean {
  if (COURTESY.test(text)) return false;
  return from === "client" || (from === null && text.includes("?"));
}

/** The last question of a message, or its last sentence. */
function lastQuestionOf(text: string): string {
  const sentences = text.split(SENTENCE_END).filter((part) => !COURTESY.test(part));
  return (sentences.findLast((part) => part.endsWith("?")) ?? sentences.at(-1) ?? text).slice(0, QUESTION_MAX);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?<![.'’-])/gu) ?? [];
}

function withoutMark(text: string): string {
  // the lookbehind keeps the search linear in a long row of marks
  return text.trim().replace(/(?<![\s?.!])[\s?.!]+$/u, "");
}

function oneLine(text: string): string {
  return withoutMark(text.replaceAll(/\s+/gu, " ")).toLowerCase();
}

import { copyOfWord } from "../../copy-of-word.ts";
import { csvLine, csvText } from "../../csv.ts";
import { describeError } from "../../describe-error.ts";
import { escapePattern } from "../../escape-pattern.ts";
import { jsonOrNull } from "../../json-or-null.ts";
import { atomsFromBlocks, clip } from "../../knowledge/chunk/atoms.ts";
import { chunkDocument, chunkQuestion } from "../../knowledge/chunk/chunk.ts";
import { sectionsOf } from "../../knowledge/chunk/sections.ts";
import { type Block, cleanDocument, documentTitle, tidyLine, tidyLines } from "../../knowledge/parse/document.ts";
import { isHeaderRow, isNumeric, mergeHeader, splitHeader } from "../../knowledge/parse/table.ts";
import { splitList, splitPath } from "../../label-text.ts";
import { detectLanguage, LANGUAGES } from "../../language/language.ts";
import {
  contentWords,
  foldAccents,
  gramTokens,
  isSingleCharacter,
  isUnspaced,
  stemTokens,
  withoutFunctionWords,
  wordsOf,
} from "../../language/tokens.ts";
import { glossOf, translateWords, translationsOf } from "../../language/translate.ts";
import { olderVersions, outdatedChunks } from "../../language/versions.ts";
import { limitMarks, normalize } from "../../normalize.ts";
import { windowsOf } from "../../retrieval/best-window.ts";
import { readMessages } from "../../retrieval/chat-history.ts";
import { condenseQuery } from "../../retrieval/condense.ts";
import { completeByRules, followUpOf } from "../../retrieval/follow-up.ts";
import { matchedWords } from "../../retrieval/matched-words.ts";
import { wordsOfQuestion } from "../../retrieval/question.ts";
import { firstSentences, rerank } from "../../retrieval/rerank.ts";
import { analyzeChunk, analyzeQuery, termsOfWords } from "../../search-index/analyze.ts";
import { sha256 } from "../../sha256.ts";
import { cleanText, firstCharacters, lastCharacters, shortened } from "../../text.ts";
import {
  BUDGET,
  type Costs,
  chunk,
  limits,
  ofDocument,
  ofQuestion,
  QUESTION,
  QUESTION_BUDGET,
  tokenizer,
  WHOLE_QUESTION_BUDGET,
} from "./cost.ts";

const measure = { max: 200, sizeOf: (text: string) => Math.ceil(text.length / 4) };
/** A follow-up question completed from the chat before it. */
const completed = (question: string, chat: string) => {
  const followUp = followUpOf(question, chat);
  return followUp && completeByRules(followUp);
};
/** A chat with many values that are no messages, and many parts that are no texts. */
const jsonChat = (text: string) =>
  `[${"{},".repeat(5 * text.length)}{"role":"user","content":[${"1,".repeat(text.length)}${JSON.stringify({ type: "text", text })}]}]`;
const chunks = (...blocks: Block[]) => [
  ...chunkDocument({ title: null, blocks, metadata: {} }, { title: "Contract", ...limits(256) }),
];

/** The other functions that take external text. */
export const TEXT_COSTS: Costs = {
  "lib/json-or-null.ts": { jsonOrNull: ofDocument((text) => jsonOrNull(JSON.stringify(text))) },
  "lib/label-text.ts": {
    splitList: ofQuestion((text) => splitList(text)),
    splitPath: ofQuestion((text) => splitPath(text)),
  },
  "lib/language/tokens.ts": {
    contentWords: ofDocument((text) => contentWords(text, "en")),
    wordsOf: ofDocument(wordsOf),
    foldAccents: ofDocument(foldAccents),
    withoutFunctionWords: ofDocument((text) => withoutFunctionWords(text.split(" "), "en")),
    stemTokens: ofQuestion((text) => stemTokens(text, "it")),
    gramTokens: ofQuestion((text) => gramTokens(text)),
    isUnspaced: ofQuestion(isUnspaced),
    isSingleCharacter: ofQuestion(isSingleCharacter),
  },
  "lib/language/translate.ts": {
    translationsOf: ofQuestion((text) => translationsOf(text, "de", "en")),
    translateWords: ofQuestion((text) => translateWords(text.split(" "), "de", "en")),
    glossOf: ofQuestion((text) => glossOf(text, "de", "en")),
  },
  "lib/search-index/analyze.ts": {
    termsOfWords: ofQuestion((text) => termsOfWords(contentWords(text, null), "de")),
    analyzeChunk: ofDocument((text) => analyzeChunk(text, text.slice(0, 1_000), "de")),
    analyzeQuery: ofQuestion((text) =>
      analyzeQuery({ words: contentWords(text, null), language: "de" }, [...LANGUAGES, null]),
    ),
  },
  "lib/retrieval/condense.ts": {
    condenseQuery: ofQuestion((text) => condenseQuery({ text, language: "en" }, limits(254))),
    "condenseQuery for a long window": ofQuestion((text) =>
      condenseQuery(
        { text, language: "en" },
        { maxTokens: Math.floor(text.length / 3), countTokens: (part) => part.length },
      ),
    ),
  },
  "lib/retrieval/question.ts": {
    wordsOfQuestion: ofQuestion(wordsOfQuestion),
    "analyzeQuestion and all steps of search with its text": ofQuestion((text) => {
      const question = { text, ...wordsOfQuestion(text) };
      return [
        tokenizer.fertility(text.slice(0, 2_000)),
        condenseQuery(question, limits(254)),
        analyzeQuery(question, [...LANGUAGES, null]),
      ];
    }, WHOLE_QUESTION_BUDGET),
  },
  "lib/retrieval/matched-words.ts": {
    matchedWords: ofQuestion((text) => matchedWords(wordsOfQuestion(text), text), 2 * QUESTION_BUDGET),
  },
  "lib/retrieval/chat-history.ts": {
    readMessages: ofDocument(readMessages),
    "readMessages of JSON": ofDocument((text) => readMessages(jsonChat(text)), 90),
  },
  "lib/retrieval/follow-up.ts": {
    "followUpOf after a chat": ofQuestion((text) => completed("And how much is that?", text)),
    "followUpOf after one message": ofQuestion((text) =>
      completed("And how much?", `Client: ${text.replaceAll("\n", " ")}`),
    ),
    "followUpOf of a question": ofQuestion((text) =>
      completed(text.slice(0, 200), "Client: What does Fibra 100 cost?"),
    ),
  },
  "lib/retrieval/best-window.ts": { windowsOf: ofDocument(windowsOf) },
  "lib/retrieval/rerank.ts": {
    rerank: ofDocument((text) =>
      rerank(wordsOfQuestion("How do I end a contract?"), Array(10).fill({ score: 0.5, content: text })),
    ),
    firstSentences: ofDocument(firstSentences),
    "rerank by a long question": ofQuestion(
      (text) =>
        rerank(wordsOfQuestion(text), Array(10).fill({ score: 0.5, content: "Contract 24 a b. ".repeat(2_000) })),
      BUDGET,
    ),
  },
  "lib/language/language.ts": { detectLanguage: ofDocument(detectLanguage) },
  "lib/language/versions.ts": {
    outdatedChunks: ofDocument((text) => outdatedChunks([chunk(text, { title: text })])),
    olderVersions: ofQuestion((text) => olderVersions([], text)),
  },
  "lib/knowledge/chunk/chunk.ts": {
    chunkDocument: ofDocument((text) => chunks({ kind: "paragraph", text })),
    "chunkDocument of code": ofDocument((text) => chunks({ kind: "paragraph", text: "a:" }, { kind: "code", text })),
    "chunkDocument of a table": ofDocument((text) =>
      chunks({ kind: "table", header: [text, "b"], rows: text.split("\n").map((cell) => [cell, "1"]) }),
    ),
    "chunkDocument below a long heading": ofDocument((text) =>
      chunks(
        { kind: "heading", level: 1, text: text.slice(0, text.length / 2) },
        ...Array(Math.floor(text.length / 400)).fill({ kind: "paragraph", text: "Contract 24. ".repeat(20) }),
      ),
    ),
    chunkQuestion: ofDocument((text) =>
      chunkQuestion({ question: text.slice(0, QUESTION), answer: text, alternatives: [text], ...limits(256) }),
    ),
  },
  "lib/knowledge/chunk/atoms.ts": {
    atomsFromBlocks: ofDocument((text) => [...atomsFromBlocks([{ kind: "code", text }], measure)]),
    clip: ofDocument((text) => clip(text, measure)),
  },
  "lib/knowledge/chunk/sections.ts": {
    sectionsOf: ofDocument((text) =>
      sectionsOf(
        [...text].slice(0, 2_000).flatMap((sign): Block[] => [{ kind: "paragraph", text: sign }]),
        text,
      ),
    ),
  },
  "lib/knowledge/parse/document.ts": {
    tidyLine: ofDocument(tidyLine),
    tidyLines: ofDocument(tidyLines),
    cleanDocument: ofDocument((text) =>
      cleanDocument({
        ...{ title: text, metadata: { a: text } },
        blocks: [{ kind: "code", text } as const, { kind: "table", header: [text], rows: [[text]] } as const],
      }),
    ),
    documentTitle: ofDocument((text) => documentTitle({ title: text, blocks: [], metadata: {} }, text)),
  },
  "lib/knowledge/parse/table.ts": {
    isNumeric: ofDocument(isNumeric),
    isHeaderRow: ofDocument((text) => isHeaderRow(text.split(" "))),
    splitHeader: ofDocument((text) => splitHeader([text.split(" "), text.split(" ")])),
    mergeHeader: ofDocument((text) => mergeHeader([text.split(" "), text.split("a")])),
  },
  "lib/csv.ts": { csvLine: ofDocument((text) => csvLine([text])), csvText: ofDocument(csvText) },
  "lib/describe-error.ts": { describeError: ofDocument((text) => describeError(new Error(text))) },
  "lib/normalize.ts": {
    normalize: ofDocument((text) => normalize(text, "NFKC")),
    limitMarks: ofDocument(limitMarks),
  },
  "lib/copy-of-word.ts": { copyOfWord: ofQuestion(copyOfWord) },
  "lib/sha256.ts": { sha256: ofDocument(sha256) },
  "lib/escape-pattern.ts": { escapePattern: ofDocument(escapePattern) },
  "lib/text.ts": {
    cleanText: ofDocument(cleanText),
    shortened: ofDocument((text) => shortened(text, 200)),
    firstCharacters: ofDocument((text) => firstCharacters(text, text.length - 1)),
    lastCharacters: ofDocument((text) => lastCharacters(text, text.length - 1)),
  },
};

import { globSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { splitText } from "../app/(dashboard)/playground/split-text.ts";
import { factChecker, isInOtherLanguage } from "./ai/check-facts.ts";
import { checkSentences } from "./ai/check-sentences.ts";
import { checkCitations, citedNumbers } from "./ai/citations.ts";
import { codeRanges } from "./ai/code-ranges.ts";
import type { ContextChunk } from "./ai/context-chunk.ts";
import { factsOf, readableFacts } from "./ai/facts.ts";
import { refersBack } from "./ai/local/anaphora.ts";
import { answerLanguage } from "./ai/local/answer-phrases.ts";
import { composeAnswer } from "./ai/local/compose.ts";
import { addressesAssistant } from "./ai/local/instructions.ts";
import { isLimit } from "./ai/local/limits.ts";
import { bundledModelDir } from "./ai/local/model-folder.ts";
import { namesUnknownNumber } from "./ai/local/product-numbers.ts";
import { questionType, typeMatch, typeWords } from "./ai/local/question-type.ts";
import { isRunInHeading } from "./ai/local/run-in-heading.ts";
import { sentencesOf } from "./ai/local/sentences.ts";
import { termMatcher, termsOf } from "./ai/local/terms.ts";
import { loadTokenizer, type Tokenizer } from "./ai/local/tokenizer.ts";
import { QUESTION_TYPES } from "./ai/local/type-evidence.ts";
import { splitUnits } from "./ai/local/units.ts";
import { buildPrompt, dataBlock } from "./ai/prompt.ts";
import { safeMarkdown } from "./ai/safe-markdown.ts";
import { splitSentences as splitAnswer } from "./ai/sentence-end.ts";
import { csvLine } from "./csv.ts";
import { describeError } from "./describe-error.ts";
import { returnValueOf } from "./generator.ts";
import { atomsFromBlocks, clip } from "./knowledge/chunk/atoms.ts";
import { chunkDocument, chunkQuestion } from "./knowledge/chunk/chunk.ts";
import { sectionsOf } from "./knowledge/chunk/sections.ts";
import { type Block, cleanDocument, documentTitle, tidyLine, tidyLines } from "./knowledge/parse/document.ts";
import { isHeaderRow, isNumeric, mergeHeader, splitHeader } from "./knowledge/parse/table.ts";
import { splitList, splitPath } from "./label-text.ts";
import { detectLanguage, LANGUAGES } from "./language/language.ts";
import { contentWords, gramTokens, stemTokens, withoutFunctionWords } from "./language/tokens.ts";
import { olderVersions, outdatedChunks } from "./language/versions.ts";
import { copyOfWord, limitMarks, normalize } from "./normalize.ts";
import { windowsOf } from "./retrieval/best-window.ts";
import { readTurns } from "./retrieval/chat-history.ts";
import { condenseQuery } from "./retrieval/condense.ts";
import { completeByRules, followUpOf } from "./retrieval/follow-up.ts";
import { matchedWords } from "./retrieval/matched-words.ts";
import { wordsOfQuestion } from "./retrieval/question.ts";
import { rerank, splitSentences } from "./retrieval/rerank.ts";
import { analyzeChunk, analyzeQuery } from "./search-index/analyze.ts";
import { HOSTILE_TEXTS } from "./testing/hostile-text.ts";
import { cleanText, shortened } from "./text.ts";

/** Lengths in characters of a question, of an answer or its source text, and of a piece of a document. */
const QUESTION = 8_000;
const ANSWER = 8_000;
const DOCUMENT = 12_000;
/**
 * CPU milliseconds, about twice what an idle machine takes for the longest text. A slower machine gets more, by what the
 * reference costs it at that moment. Less than the floor proves nothing.
 */
const QUESTION_BUDGET = 45;
const BUDGET = 250;
const FLOOR = 40;
const GROWTH_MAX = 3;
const TRIES = 6;
const REFERENCE_TEXT = "The customer's contract ends after 24 months. ".repeat(10_000);
const REFERENCE_MS = 25;

interface Cost {
  length: number;
  budget?: number;
  run(text: string): unknown;
}

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer(bundledModelDir());
});
const limits = (maxTokens: number) => ({ maxTokens, countTokens: tokenizer.count });
const measure = { max: 200, sizeOf: (text: string) => Math.ceil(text.length / 4) };
const chunk = (content: string, more: Partial<ContextChunk> = {}): ContextChunk => ({
  ...{ title: "Contract", path: ["Support"], content, sourceType: "document", score: 0.5 },
  ...more,
});
const compose = (question: string, ...chunks: ContextChunk[]) => composeAnswer({ question, chunks, language: "en" });
const checkFacts = (answer: string, given: ContextChunk[]) =>
  factChecker({ question: "When does it end?", language: "en", chunks: given, names: [] })(answer, true);
/** A follow-up question completed from the chat before it. */
const completed = (question: string, chat: string) => {
  const followUp = followUpOf(question, chat);
  return followUp && completeByRules(followUp);
};
const ofQuestion = (run: Cost["run"], budget = QUESTION_BUDGET): Cost => ({ length: QUESTION, budget, run });
const ofAnswer = (run: Cost["run"], budget = BUDGET): Cost => ({ length: ANSWER, budget, run });
const ofDocument = (run: Cost["run"], budget = BUDGET): Cost => ({ length: DOCUMENT, budget, run });
/** Parts as long as those that a model sends. */
async function* wordsOf(text: string) {
  yield* text.match(/.{1,5}/gs) ?? [];
}
const chunks = (...blocks: Block[]) => [
  ...chunkDocument({ title: null, blocks, metadata: {} }, { title: "Contract", ...limits(256) }),
];

/** Every function that takes external text, by file; a function with several kinds of input has several entries. */
const COSTS: Record<string, Record<string, Cost>> = {
  "lib/label-text.ts": {
    splitList: ofQuestion((text) => splitList(text)),
    splitPath: ofQuestion((text) => splitPath(text)),
  },
  "lib/language/tokens.ts": {
    contentWords: ofDocument((text) => contentWords(text, "en")),
    withoutFunctionWords: ofDocument((text) => withoutFunctionWords(text.split(" "), "en")),
    stemTokens: ofQuestion((text) => stemTokens(text, "it")),
    gramTokens: ofQuestion((text) => gramTokens(text)),
  },
  "lib/search-index/analyze.ts": {
    analyzeChunk: ofDocument((text) => analyzeChunk(text, text.slice(0, 1_000), "de")),
    analyzeQuery: ofQuestion((text) => analyzeQuery(contentWords(text, null), [...LANGUAGES, null])),
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
        analyzeQuery(question.words, [...LANGUAGES, null]),
      ];
    }),
  },
  "lib/retrieval/matched-words.ts": {
    matchedWords: ofQuestion((text) => matchedWords(wordsOfQuestion(text), text), 2 * QUESTION_BUDGET),
  },
  "lib/retrieval/chat-history.ts": { readTurns: ofDocument(readTurns) },
  "lib/retrieval/follow-up.ts": {
    "followUpOf after a chat": ofQuestion((text) => completed("And how much is that?", text)),
    "followUpOf after one turn": ofQuestion((text) =>
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
    splitSentences: ofDocument(splitSentences),
    "rerank by a long question": ofQuestion(
      (text) =>
        rerank(wordsOfQuestion(text), Array(10).fill({ score: 0.5, content: "Contract 24 a b. ".repeat(2_000) })),
      BUDGET,
    ),
  },
  "lib/language/language.ts": { detectLanguage: ofDocument(detectLanguage) },
  "lib/ai/citations.ts": {
    checkCitations: ofAnswer((text) => checkCitations(text, [chunk("See http://a.b and a@b.c.")])),
    "checkCitations against a chunk": ofDocument((text) => checkCitations("See http://a.b [1].", [chunk(text)])),
    citedNumbers: ofAnswer(citedNumbers),
  },
  "lib/ai/check-sentences.ts": {
    checkSentences: ofAnswer((text) =>
      // an answer of which the check leaves nothing is refused
      returnValueOf(checkSentences(wordsOf(text), [chunk("See http://a.b and a@b.c.")])).catch(() => ""),
    ),
  },
  "lib/ai/sentence-end.ts": { splitSentences: ofAnswer(splitAnswer) },
  "lib/ai/facts.ts": { factsOf: ofDocument(factsOf), readableFacts: ofDocument(readableFacts) },
  "lib/ai/check-facts.ts": {
    "factChecker of an answer": ofAnswer((text) => checkFacts(text, [chunk("It ends after 24 months.")])),
    "factChecker against a chunk": ofDocument((text) =>
      checkFacts("It does not end after 24 months. [1] Ask Ada for 2. [2]", [chunk(text), chunk(text)]),
    ),
    isInOtherLanguage: ofAnswer((text) => isInOtherLanguage(text, { language: "en", chunks: [chunk("It ends.")] })),
  },
  "lib/ai/code-ranges.ts": { codeRanges: ofAnswer(codeRanges) },
  "lib/ai/safe-markdown.ts": { safeMarkdown: ofAnswer((text) => safeMarkdown(text, [chunk(text)])) },
  "lib/ai/prompt.ts": {
    dataBlock: ofDocument((text) => dataBlock("0123456789abcdef", "chat", text)),
    buildPrompt: ofDocument((text) =>
      buildPrompt({
        ...{ question: text, chunks: [chunk(text), chunk(text)], token: "0123456789abcdef" },
        context: { clientLogs: text, companyProductsNames: [text] },
      }),
    ),
  },
  "lib/ai/local/anaphora.ts": { refersBack: ofDocument((text) => refersBack(text, "en")) },
  "lib/ai/local/answer-phrases.ts": { answerLanguage: ofDocument((text) => answerLanguage(null, text)) },
  "lib/ai/local/compose.ts": {
    "composeAnswer to a question": ofQuestion((text) => compose(text, chunk("It ends after 24 months. Ask us.")), 60),
    "composeAnswer from a chunk": ofDocument((text) => compose("How do I end a contract?", chunk(text))),
    "composeAnswer from a stored answer": ofDocument((text) =>
      compose("Contract?", chunk(`Contract?\n\n${text}`, { title: "Contract?", sourceType: "qa" })),
    ),
    "composeAnswer to what the chunks say": ofQuestion((text) => compose(text, chunk(text), chunk(text)), BUDGET),
  },
  "lib/ai/local/question-type.ts": {
    questionType: ofQuestion(questionType),
    typeWords: ofQuestion(typeWords),
    typeMatch: ofDocument((text) => QUESTION_TYPES.map((type) => typeMatch(text, type))),
  },
  "lib/ai/local/instructions.ts": { addressesAssistant: ofDocument(addressesAssistant) },
  "lib/ai/local/limits.ts": { isLimit: ofDocument((text) => isLimit(text, "en")) },
  "lib/ai/local/product-numbers.ts": {
    namesUnknownNumber: ofQuestion((text) => namesUnknownNumber(text, [chunk("Contract 24")])),
  },
  "lib/ai/local/run-in-heading.ts": { isRunInHeading: ofDocument((text) => isRunInHeading(text, "en")) },
  "lib/language/versions.ts": {
    outdatedChunks: ofDocument((text) => outdatedChunks([chunk(text, { title: text })])),
    olderVersions: ofQuestion((text) => olderVersions([], text)),
  },
  "lib/ai/local/units.ts": { splitUnits: ofDocument((text) => splitUnits(text, "en")) },
  "lib/ai/local/sentences.ts": {
    sentencesOf: ofDocument((text) => sentencesOf(text, "de")),
  },
  "lib/ai/local/terms.ts": {
    termsOf: ofDocument((text) => termsOf(text, "en")),
    termMatcher: ofQuestion((text) => termMatcher(termsOf(text, "en"))(new Set(text.split(" "))), 60),
  },
  "lib/ai/local/tokenizer.ts": {
    "count of a Tokenizer": ofQuestion((text) => tokenizer.count(text)),
    "encode of a Tokenizer": ofQuestion((text) => tokenizer.encode(text, 256)),
    "encodePair of a Tokenizer": ofQuestion((text) => tokenizer.encodePair(text, text, { questionMax: 128, max: 256 })),
    "fertility of a Tokenizer": ofQuestion((text) => tokenizer.fertility(text)),
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
  "lib/csv.ts": { csvLine: ofDocument((text) => csvLine([text])) },
  "lib/describe-error.ts": { describeError: ofDocument((text) => describeError(new Error(text))) },
  "lib/normalize.ts": {
    normalize: ofDocument((text) => normalize(text, "NFKC")),
    limitMarks: ofDocument(limitMarks),
    copyOfWord: ofQuestion(copyOfWord),
  },
  "lib/text.ts": { cleanText: ofDocument(cleanText), shortened: ofDocument((text) => shortened(text, 200)) },
  "app/(dashboard)/playground/split-text.ts": { splitText: ofAnswer((text) => splitText(text, /\[(\d{1,3})\]/g)) },
};

/** Files with text functions that run on the web server's event loop or in the worker. */
const COVERED =
  "lib/{*,ai/*,ai/local/*,language/*,retrieval/*,search-index/analyze,knowledge/chunk/*,knowledge/parse/*}.ts";
/** Files or functions whose text is not external or is limited elsewhere. */
const EXEMPT: Record<string, string> = {
  "lib/counted.ts": "nouns of our own",
  "lib/env-names.ts": "the operator's settings",
  "lib/env.ts": "the operator's settings",
  "lib/errors.ts": "passes its text on",
  "lib/label-changes.ts": "labels, which have a maximum length",
  "lib/make-folder.ts": "paths of our own",
  "lib/paths.ts": "paths of our own",
  "lib/ai/local/embed-queue.ts": "hands texts to a thread",
  "lib/ai/local/cross-encoder.ts": "paths of the operator; its texts are cut by the tokenizer",
  "lib/ai/local/embedding-model.ts": "paths of the operator",
  "lib/ai/local/model-folder.ts": "paths of the operator",
  "lib/ai/models.ts": "names of models",
  "lib/ai/rewrite-question.ts": "sends texts to a model, which limits them",
  "lib/ai/answer.ts": "made of functions that are measured",
  "lib/ai/context-chunk.ts": "puts fields together",
  "addBestWindows of lib/retrieval/best-window.ts": "embeds texts, which the tokenizer cuts",
  "lib/retrieval/fuse.ts": "names of models",
  "lib/retrieval/demote-older.ts": "a search; made of functions that are measured",
  "lib/retrieval/explain.ts": "a search; made of functions that are measured",
  "lib/retrieval/ui-message.ts": "the operator's settings",
  "lib/retrieval/queries.ts": "a search; passes its text on",
  "lib/retrieval/permalink.ts": "puts an address together",
  "lib/knowledge/parse/": "runs in a child process that is ended when it takes too long",
  "refusal of lib/ai/local/answer-phrases.ts": "a language",
  "rankCandidates of lib/ai/local/evidence.ts": "part of composeAnswer",
  "renderUnits of lib/ai/local/render.ts": "part of composeAnswer",
  "loadTokenizer of lib/ai/local/tokenizer.ts": "paths of the operator",
  "textInput of lib/text-input.ts": "a message of our own",
  "joinPath of lib/label-text.ts": "labels, which have a maximum length",
  "lib/singleton.ts": "names of our own",
  "pageNumber of lib/page.ts": "one pattern from end to end",
};
const TAKES_TEXT = /\bstring\b|ContextChunk\b|Block\[\]|ParsedDocument|AnswerInput/;

it("measures every function that takes text, or says why not", () => {
  const unknown = globSync(COVERED).flatMap((file) => {
    if (/\.test\.ts$/.test(file) || EXEMPT[file] || Object.keys(EXEMPT).some((name) => exempts(name, file))) return [];
    const source = readFileSync(file, "utf8");
    const exported = [...source.matchAll(/^export (?:async )?function\*? (\w+)(?:<.*?>)?\(([\s\S]*?)\)(?::| \{)/gm)];
    return exported
      .filter(([, , parameters = ""]) => TAKES_TEXT.test(parameters))
      .map(([, name = ""]) => ({ file, name }))
      .filter(({ name }) => !EXEMPT[`${name} of ${file}`])
      .filter(({ name }) => !Object.keys(COSTS[file] ?? {}).some((measured) => measured.split(" ")[0] === name))
      .map(({ name }) => `${name} of ${file}`);
  });
  expect(unknown).toEqual([]);
});

/** Whether a folder is exempt, except for its measured files. */
function exempts(name: string, file: string): boolean {
  return name.endsWith("/") && file.startsWith(name) && !(file in COSTS);
}

describe.each(Object.entries(COSTS))("the CPU time of %s", (_, functions) => {
  it.each(Object.entries(functions))(
    "%s grows with the length of its text, whatever the text is",
    async (__, cost) => {
      for (const [name, make] of Object.entries(HOSTILE_TEXTS)) {
        const budget = cost.budget ?? BUDGET;
        // a short text first, so that quadratic time fails before it takes minutes
        for (const length of [cost.length / 16, cost.length]) {
          const text = make(length);
          const half = make(length / 2);
          let [growth, taken, allowed] = [0, 0, budget];
          for (let tries = 0; tries < TRIES; tries++) {
            taken = await cpuOf(() => cost.run(text));
            growth = taken <= FLOOR ? 0 : taken / Math.max(await cpuOf(() => cost.run(half)), FLOOR / GROWTH_MAX);
            allowed = taken <= budget ? budget : budget * (await slowness());
            if (growth < GROWTH_MAX && taken <= allowed) break;
          }
          expect(growth, `${length} characters of ${name} took ${taken} ms, times half of it`).toBeLessThan(GROWTH_MAX);
          expect(taken, `milliseconds for ${length} characters of ${name}`).toBeLessThanOrEqual(allowed);
        }
      }
    },
    60_000,
  );
});

/** How many times slower this machine is now than the one that set the budgets, at least 1. */
async function slowness(): Promise<number> {
  return Math.max(1, (await cpuOf(() => contentWords(REFERENCE_TEXT, "en"))) / REFERENCE_MS);
}

/** CPU milliseconds of this thread, which other load on the machine does not increase. */
async function cpuOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

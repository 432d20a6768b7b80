import { factChecker, isInOtherLanguage } from "../../ai/check-facts.ts";
import { checkSentences, refuseWebPage } from "../../ai/check-sentences.ts";
import { checkCitations, withoutCitations } from "../../ai/citations.ts";
import { codeRanges } from "../../ai/code-ranges.ts";
import { companyTextKey } from "../../ai/company-text-key.ts";
import type { ContextChunk } from "../../ai/context-chunk.ts";
import { namesIn, withoutNames } from "../../ai/context-names.ts";
import { factsOf, readableFacts } from "../../ai/facts.ts";
import { citedNumbers, findCitations, removeCitations } from "../../ai/find-citations.ts";
import { refersBack } from "../../ai/local/anaphora.ts";
import { answerLanguage } from "../../ai/local/answer-phrases.ts";
import { composeAnswer } from "../../ai/local/compose.ts";
import { countedBy } from "../../ai/local/counted-things.ts";
import { addressesAssistant, hasInstructions, withoutInstructions } from "../../ai/local/instructions.ts";
import { isLimit } from "../../ai/local/limits.ts";
import { namesUnknownNumber } from "../../ai/local/product-numbers.ts";
import { questionCloseness } from "../../ai/local/question-closeness.ts";
import { questionType, typeMatch, typeWords } from "../../ai/local/question-type.ts";
import { isRunInHeading } from "../../ai/local/run-in-heading.ts";
import { sentenceContinues, sentencesOf } from "../../ai/local/sentences.ts";
import { termMatcher, termsOf } from "../../ai/local/terms.ts";
import { isNumber, QUESTION_TYPES } from "../../ai/local/type-evidence.ts";
import { splitUnits } from "../../ai/local/units.ts";
import { weakestCloseness } from "../../ai/local/word-closeness.ts";
import { isNameWithNumber } from "../../ai/names-with-numbers.ts";
import { buildPrompt, dataBlock } from "../../ai/prompt.ts";
import { readSource, wordSetOf, wordTermsOf } from "../../ai/read-source.ts";
import { safeMarkdown } from "../../ai/safe-markdown.ts";
import { splitSentences as splitAnswer } from "../../ai/sentence-end.ts";
import { returnValueOf } from "../../return-value-of.ts";
import { BUDGET, type Costs, chunk, ofAnswer, ofDocument, ofQuestion, ofStoredAnswer, tokenizer } from "./cost.ts";

const compose = (question: string, ...chunks: ContextChunk[]) => composeAnswer({ question, chunks, language: "en" });
/** Every text has the same meaning. */
const embed = async (texts: string[]) => texts.map(() => [1, 0]);
const checkFacts = (answer: string, given: ContextChunk[], names: string[] = []) =>
  factChecker({ question: "When does it end?", language: "en", chunks: given, names })(answer, true);
/** As many chunks as a prompt holds, full of numbers. */
const PRICES = Array.from({ length: 10 }, (_, index) => chunk(`Item ${index} costs 12 euros a month. `.repeat(70)));
/** Parts as long as those that a model sends. */
async function* wordsOf(text: string) {
  yield* text.match(/.{1,5}/gs) ?? [];
}

/** The functions of lib/ai that take external text. */
export const AI_COSTS: Costs = {
  "lib/ai/citations.ts": {
    checkCitations: ofAnswer((text) => checkCitations(text, [chunk("See http://a.b and a@b.c.")])),
    "checkCitations against a chunk": ofDocument((text) => checkCitations("See http://a.b [1].", [chunk(text)])),
    withoutCitations: ofStoredAnswer(withoutCitations),
  },
  "lib/ai/find-citations.ts": {
    findCitations: ofAnswer(findCitations),
    citedNumbers: ofAnswer(citedNumbers),
    removeCitations: ofAnswer((text) => removeCitations(text)),
  },
  "lib/ai/check-sentences.ts": {
    checkSentences: ofAnswer((text) =>
      // an answer of which the check leaves nothing is refused
      returnValueOf(checkSentences(wordsOf(text), [chunk("See http://a.b and a@b.c.")])).catch(() => ""),
    ),
    refuseWebPage: ofAnswer((text) => returnValueOf(refuseWebPage(wordsOf(text)))),
  },
  "lib/ai/sentence-end.ts": { splitSentences: ofAnswer(splitAnswer) },
  "lib/ai/company-text-key.ts": { companyTextKey: ofDocument((text) => companyTextKey("", text)) },
  "lib/ai/facts.ts": { factsOf: ofDocument(factsOf), readableFacts: ofDocument(readableFacts) },
  "lib/ai/names-with-numbers.ts": { isNameWithNumber: ofDocument(isNameWithNumber) },
  "lib/ai/check-facts.ts": {
    "factChecker of an answer": ofAnswer((text) => checkFacts(text, [chunk("It ends after 24 months.")])),
    "factChecker of many sentences": ofAnswer((text) =>
      checkFacts(text.replaceAll(/.{30}/gsu, "$& costs 13 euros a month. "), PRICES),
    ),
    "factChecker beside names": ofAnswer((text) =>
      checkFacts("It does not end after 24 months. [1]", [chunk("It ends.")], text.match(/.{1,8}/gsu) ?? []),
    ),
    "factChecker against a chunk": ofDocument((text) =>
      checkFacts("It does not end after 24 months. [1] Ask Ada for 2. [2]", [chunk(text), chunk(text)]),
    ),
    isInOtherLanguage: ofAnswer((text) => isInOtherLanguage(text, { language: "en", chunks: [chunk("It ends.")] })),
  },
  "lib/ai/read-source.ts": {
    readSource: ofDocument((text) => {
      const { facts, words, statements } = readSource(chunk(text));
      return [facts(), words(), statements("en")];
    }),
    wordSetOf: ofDocument(wordSetOf),
    wordTermsOf: ofDocument((text) => wordTermsOf(text, "en")),
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
    "composeAnswer from a chunk in another language": ofQuestion(
      (text) => compose(text, chunk("Der Vertrag endet nach 24 Monaten.", { language: "de" })),
      60,
    ),
    "composeAnswer from a chunk": ofDocument((text) => compose("How do I end a contract?", chunk(text))),
    "composeAnswer from a Q&A": ofDocument((text) =>
      compose("Contract?", chunk(`Contract?\n\n${text}`, { title: "Contract?", sourceType: "qa" })),
    ),
    "composeAnswer to what the chunks say": ofQuestion((text) => compose(text, chunk(text), chunk(text)), BUDGET),
    "composeAnswer with evidence to judge": ofQuestion(
      (text) => composeAnswer({ ...{ question: text, language: "en", embed }, chunks: [chunk(`${text} Ask us.`)] }),
      BUDGET,
    ),
  },
  "lib/ai/local/question-closeness.ts": {
    questionCloseness: ofQuestion((text) => questionCloseness({ question: text, language: "en" }, `${text} Why?`, 1)),
  },
  "lib/ai/local/word-closeness.ts": {
    weakestCloseness: ofQuestion((text) => weakestCloseness(text, text.slice(0, 50), "The router is grey.", "en")),
    "weakestCloseness of a text": ofDocument((text) => weakestCloseness("How many rooms are there?", "", text, "en")),
  },
  "lib/ai/local/counted-things.ts": {
    countedBy: ofQuestion((text) => countedBy(`how many ${text}`, "en")),
    "countedBy in a text": ofDocument((text) => countedBy("How many rooms are there?", "en")?.(text)),
  },
  "lib/ai/local/type-evidence.ts": { isNumber: ofDocument(isNumber) },
  "lib/ai/local/question-type.ts": {
    questionType: ofQuestion(questionType),
    typeWords: ofQuestion(typeWords),
    typeMatch: ofDocument((text) => QUESTION_TYPES.map((type) => typeMatch(text, type))),
  },
  "lib/ai/local/instructions.ts": {
    addressesAssistant: ofDocument(addressesAssistant),
    hasInstructions: ofDocument((text) => hasInstructions(text, "en")),
    withoutInstructions: ofQuestion((text) => withoutInstructions(text, "en")),
  },
  "lib/ai/context-names.ts": {
    namesIn: ofAnswer((text) => namesIn({ clientServices: text })),
    withoutNames: ofAnswer((text) => withoutNames(text, { clientName: "Ada Rossi" })),
    "withoutNames of its own words": ofAnswer((text) => withoutNames(text, { clientName: text })),
    "withoutNames of its own products": ofAnswer((text) =>
      withoutNames(text, { companyProductsNames: text.replaceAll(" ", ",") }),
    ),
  },
  "lib/ai/local/limits.ts": { isLimit: ofDocument((text) => isLimit(text, "en")) },
  "lib/ai/local/product-numbers.ts": {
    namesUnknownNumber: ofQuestion((text) => namesUnknownNumber(text, "en", [chunk("Contract 24")])),
    "namesUnknownNumber in a text": ofDocument((text) => namesUnknownNumber("What is Plan 500?", "en", [chunk(text)])),
  },
  "lib/ai/local/run-in-heading.ts": { isRunInHeading: ofDocument((text) => isRunInHeading(text, "en")) },
  "lib/ai/local/units.ts": { splitUnits: ofDocument((text) => splitUnits(text, "en")) },
  "lib/ai/local/sentences.ts": {
    sentencesOf: ofDocument((text) => sentencesOf(text, "de")),
    sentenceContinues: ofDocument((text) => sentenceContinues(text, text, "de")),
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
};

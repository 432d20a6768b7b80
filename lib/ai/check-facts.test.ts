import { describe, expect, it } from "vitest";
import { factChecker, isInOtherLanguage } from "./check-facts.ts";

const chunk = (content: string, title = "Terms") => ({ title, path: [], content, sourceType: "document", score: 1 });
const chunks = [
  chunk(
    "Send the router back within 14 days of 1 March 2026. The fee is €1,500.50. Cancellations by telephone are not accepted.",
  ),
  chunk("Ask Sarah Martinez in Trento. The warranty lasts thirty days."),
];
const evidence: Parameters<typeof factChecker>[0] = {
  question: "What is the deadline?",
  language: "en",
  chunks,
  names: ["Ada Rossi", "Fibra 1000"],
};
const check = (answer: string, more: Partial<typeof evidence> = {}) =>
  factChecker({ ...evidence, ...more })(answer, true);
const refused = "I could not find an answer to this question in the knowledge base.";

describe("a sentence is dropped", () => {
  it.each([
    ["The deadline is 15 days [1].", "number"],
    ["The fee is €1,600.50 [1].", "number"],
    ["The warranty lasts 30 days [1].", "number"],
    ["It ends on 1 April 2026 [1].", "date"],
    ["Please write to the manager, Peter Miller [2].", "name"],
    ["Cancellations by telephone are accepted [1].", "negation"],
    ["You owe us 89 euros.", "number"],
  ])("%s (%s)", (sentence, reason) => {
    expect(check(`Send the router back within 14 days [1]. ${sentence}`)).toEqual({
      text: "Send the router back within 14 days [1].",
      dropped: [reason],
    });
    expect(check(sentence.replace(/\.$/, " [1]."))).toEqual({ text: refused, dropped: [reason] });
  });
});

it.each([
  ["de", "Ihr Gepäck darf ca. 25 kg wiegen [1].", "Das Gepäck darf ca. 20 kg wiegen. Tiere reisen kostenlos."],
  ["en", "The fee is approx. 7 EUR [1].", "The fee is approx. 6 EUR. Animals travel free."],
  ["de", "Der Vertrag kann bis zum 30. Dezember enden [1].", "Der Vertrag kann bis zum 31. Dezember enden."],
] as const)("no half of a wrong sentence is left (%s): %s", (language, wrong, source) => {
  const right = language === "de" ? "Tiere reisen kostenlos [1]." : "Animals travel free [1].";
  expect(check(`${wrong} ${right}`, { language, chunks: [chunk(source)] })).toEqual({
    text: right,
    dropped: ["number"],
  });
});

it("a number in code is part of the claim, not a citation", () => {
  expect(check("Read `days[77]` [1].").dropped).toEqual(["number"]);
  const stated = "Read `days[14]` [1].";
  expect(check(stated)).toEqual({ text: stated, dropped: [] });
});

it("code that begins in another sentence hides no citation", () => {
  expect(check("Run `a. Then b` for the fee of €1,500.50 [2] or `c`.").dropped).toEqual(["number"]);
  const stated = "Run `a. Then b` for the fee of €1,500.50 [1] or `c`.";
  expect(check(stated)).toEqual({ text: stated, dropped: [] });
});

describe("a sentence is kept", () => {
  it.each([
    "The deadline is fourteen days [1].",
    "The fee is 1.500,50 euros [1].",
    "The warranty lasts 30 days [2].",
    "Il termine scade il 01/03/2026 [1].",
    "The deadline is 1 marzo 2026 [1].",
    "Dear Ada Rossi, with your Fibra 1000 you have 14 days [1].",
    "Write to our colleague Sarah Martinez in Trento [2].",
    "No, cancellations by telephone are not accepted [1].",
    "1. Send the router back [1].\n2. Wait for the letter [1].",
    "I do not know.",
  ])("%s", (answer) => {
    expect(check(answer)).toEqual({ text: answer, dropped: [] });
  });
});

it.each([
  ["77 EUR", "You get 77 EUR [1]."],
  ["77 Euro Rabatt", "Sie bekommen 77 Euro Rabatt [1]."],
  ["Discount 50 %", "You get Discount 50 % [1]."],
  ["21 Tage", "Sie haben dafür 21 Tage [1]."],
  ["21 DAYS", "You have 21 DAYS [1]."],
])("%j of the context is not a name", (name, wrong) => {
  expect(check(wrong, { names: [name] })).toEqual({ text: refused, dropped: ["number"] });
});

it.each(["5G", "ID.4", "fibra 1000"])("%j of the context is a name", (name) => {
  const answer = `With your ${name} you have 14 days [1].`;
  expect(check(answer, { names: [name] }).text).toBe(answer);
});

it("a number of the question is not evidence", () => {
  expect(check("The deadline is 20 days [1].", { question: "Is the deadline 20 days?" }).dropped).toEqual(["number"]);
  const denied = "No, the deadline is not 20 days [1].";
  expect(check(denied, { question: "Is the deadline 20 days?" }).text).toBe(denied);
});

it("a chunk that contradicts the answer is quoted beside it, unless it is outdated", () => {
  const other = "Send the router back within 30 days of the contract's end.";
  const mine = chunk("Send the router back within 14 days of the contract's end.");
  const answer = "Send the router back within 14 days of the contract's end [1].";
  expect(check(answer, { chunks: [mine, chunk(other)] }).text).toBe(`${answer}\nAnother source says: “${other}” [2]`);
  expect(check(answer, { chunks: [mine, chunk(other, "Terms (superseded)")] }).text).toBe(answer);
});

it("an answer in another language than the question is found when a cited chunk is in the question's", () => {
  const italian = "Il router deve essere restituito entro quattordici giorni dalla fine [1].";
  expect(isInOtherLanguage(italian, evidence)).toBe(true);
  expect(isInOtherLanguage(italian, { ...evidence, language: "it" })).toBe(false);
  expect(isInOtherLanguage(italian, { ...evidence, chunks: [chunk(italian)] })).toBe(false);
});

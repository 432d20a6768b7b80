import { describe, expect, it } from "vitest";
import { returnValueOf } from "../return-value-of.ts";
import { fc } from "../testing/property.ts";
import { factChecker } from "./check-facts.ts";
import { type AnswerPart, checkSentences, refuseWebPage } from "./check-sentences.ts";
import { checkCitations } from "./citations.ts";

const chunks = ["Send it back. See https://norte.example/return.", "We are open on Monday."].map((content) => ({
  title: "",
  path: [],
  content,
  sourceType: "document",
  score: 1,
}));

async function* deltasOf(parts: Iterable<string>): AsyncGenerator<string> {
  yield* parts;
}

/** The parts of an answer, and every text that a reader saw on the way. */
async function read(deltas: Iterable<string>) {
  const parts: AnswerPart[] = [];
  const shown: string[] = [];
  const generator = checkSentences(deltasOf(deltas), chunks);
  let text = "";
  for (;;) {
    const { done, value } = await generator.next();
    if (done) return { parts, shown, text, final: value };
    parts.push(value);
    text = value.type === "reset" ? "" : text + value.text;
    if (value.type === "text") shown.push(text);
  }
}

/** One character after another, the most that a model can divide its text. */
const sentencesOf = async (text: string) =>
  (await read(text)).parts.map((part) => (part.type === "text" ? part.text : part.type));

describe("sentences are passed on", () => {
  it.each([
    ["Yes [1]. No [2].", ["Yes [1].", " No [2]."]],
    ["Yes. [1] No. [2] [1]", ["Yes. [1]", " No. [2][1]"]],
    ["See https://norte.example/return. [1] Open! [2]", ["See https://norte.example/return. [1]", " Open! [2]"]],
    ["It costs 3.50 EUR [1], e.g. now.", ["It costs 3.50 EUR [1], e.g.", " now."]],
    ["Do this:\n\n1. Pack it. [1]\n2. Send it. [9]", ["Do this:", "\n\n1. Pack it. [1]", "\n2. Send it."]],
    ["これは本です。[1]はい。", ["これは本です。[1]", "はい。"]],
    ['**Note.** [1] "Yes." [2]', ["**Note.** [1]", ' "Yes." [2]']],
    ["One line", ["One line"]],
  ])("of %j", async (answer, expected) => {
    expect(await sentencesOf(answer)).toEqual(expected);
  });

  it("after a reset when a later sentence changes an earlier one", async () => {
    const answer = "See https://norte.example/return today. Send it back. [1]";
    expect(await sentencesOf(answer)).toEqual(["See norte.example/return today.", "reset", answer]);
  });
});

describe("whatever a model writes, in parts of any length,", () => {
  const piece = fc.constantFrom(
    ..."[]()!<>`\\\n \"'*_|:.".split(""),
    "\n\n",
    ". ",
    "! [1] ",
    "1. ",
    "- ",
    "```\n",
    "https://norte.example/return",
    "https://evil.example/x",
    "](",
    "[1]",
    "[2, 9]",
    "【1†a】",
    "<br>",
    "<img src=",
    "\r\n",
    "word",
    "Word",
    "。",
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  const cuts = fc.array(fc.nat(8), { maxLength: 60 });

  it("every text that is shown is checked, and the last is the checked answer", async () => {
    await fc.assert(
      fc.asyncProperty(text, cuts, async (answer, lengths) => {
        fc.pre(checkCitations(answer, chunks) !== "");
        const { shown, text: last, final } = await read(divided(answer, lengths));
        expect(final).toBe(checkCitations(answer, chunks));
        expect(last).toBe(final);
        for (const each of shown) expect(checkCitations(each, chunks)).toBe(each);
      }),
      { numRuns: 300 },
    );
  });
});

function divided(text: string, lengths: number[]): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(text.slice(at, at + length));
    at += length;
  }
  return [...parts, text.slice(at)];
}

it.each([
  ["", "It is empty"],
  ["[7]", "It is empty"],
  ["word [1]. ".repeat(1_000), "It does not end"],
])("an unusable answer is refused", async (answer, reason) => {
  await expect(read(answer.match(/.{1,9}/gs) ?? [])).rejects.toThrow(reason);
});

describe("what the check of facts changes is made safe:", () => {
  const mine = "Send the router back within 14 days of the contract's end";
  const checkedAgainst = (answer: string, ...contents: string[]) => {
    const given = contents.map((content) => ({ title: "", path: [], content, sourceType: "document", score: 1 }));
    const check = factChecker({ question: "What is the deadline?", language: "en", chunks: given, names: [] });
    return returnValueOf(checkSentences(deltasOf([answer]), given, (text, isWhole) => check(text, isWhole).text));
  };

  it.each([
    ["<img src=//evil.example/p>", "&lt;img src=//evil.example/p>"],
    ["<script src=//evil.example/x></script>", "&lt;script src=//evil.example/x>&lt;/script>"],
    ["<[img src=//evil.example/p>", "&lt;img src=//evil.example/p>"],
    ["![end](//evil.example/p.png)", "!end(//evil.example/p.png)"],
    ["[end](//evil.example/p)", "end(//evil.example/p)"],
    ["【1†source】", "1†source"],
  ])("the quotation of %j", async (markup, quoted) => {
    const other = (end: string) => `Send the router back within 30 days of the contract's end ${end}`;
    expect(await checkedAgainst(`${mine} [1].`, `${mine}.`, other(markup))).toBe(
      `${mine} [1].\nAnother source says: “${other(quoted)}” [2]`,
    );
  });

  it("code whose first line is dropped", async () => {
    const answer = `${mine} [1].\n\n\`\`\`77\n![pixel](https://evil.example/p.png)\n\`\`\``;
    const checked = await checkedAgainst(answer, `${mine}.`);
    expect(checked).not.toContain("77");
    expect(checked).not.toContain("https://evil.example");
  });
});

it("a web page is refused as soon as it begins, in parts of any length", async () => {
  const page = " \n<!doctype html><h1>Sign in. Now.";
  for (const length of [1, 7, page.length]) {
    const parts = page.match(new RegExp(`.{1,${length}}`, "gs")) ?? [];
    const passed: string[] = [];
    const reading = async () => {
      for await (const part of refuseWebPage(deltasOf(parts))) passed.push(part);
    };
    await expect(reading()).rejects.toThrow("It is a web page");
    expect(passed.join("")).not.toContain("<!doctype html");
  }
});

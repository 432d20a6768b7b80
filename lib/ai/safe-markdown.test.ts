import type { Element, Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";
import { toString as textOf } from "hast-util-to-string";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { returnValueOf } from "../return-value-of.ts";
import { fc } from "../testing/property.ts";
import { streamAnswer } from "./answer.ts";
import { checkCitations } from "./citations.ts";
import { createExtractiveModel } from "./local/extractive-model.ts";

const KNOWN = ["https://norte.example/help", "https://norte.example/logo.png", "help@norte.example"];
const chunks = KNOWN.map((address) => chunkOf(`The address is ${address} for all.`));

function chunkOf(content: string) {
  return { title: "Addresses", path: [], content, sourceType: "document", score: 1 };
}

/** The elements of a page that shows the answer: as HTML directly, and through a Markdown viewer that allows HTML. */
function shown(answer: string) {
  return {
    asHtml: elementsOf(fromHtml(answer, { fragment: true })),
    asMarkdown: elementsOf(fromHtml(marked.parse(answer, { async: false }), { fragment: true })),
  };
}

function elementsOf(node: Nodes): Element[] {
  const own = node.type === "element" ? [node] : [];
  return "children" in node ? [...own, ...node.children.flatMap(elementsOf)] : own;
}

const MARKDOWN_ATTRIBUTES = [
  "href",
  "src",
  "alt",
  "title",
  "className",
  "align",
  "start",
  "type",
  "disabled",
  "checked",
];
const ACTIVE =
  /^(?:a|script|style|iframe|frame|object|embed|svg|math|form|input|button|textarea|select|template|link|meta|base|img|image|picture|video|audio|source|title|noscript|body|html|head|dialog|slot)$/;

/** Every part of an answer that a page would fetch, run or obey. */
function dangersOf(answer: string): string[] {
  const { asHtml, asMarkdown } = shown(answer);
  const direct = asHtml
    .filter(({ tagName, properties }) => ACTIVE.test(tagName) || Object.keys(properties).length > 0)
    .map((element) => `as HTML: ${JSON.stringify(element)}`);
  const rendered = asMarkdown.filter(isDangerous).map((element) => `as Markdown: ${JSON.stringify(element)}`);
  return [...direct, ...rendered];
}

function isDangerous({ tagName, properties }: Element): boolean {
  if (Object.keys(properties).some((name) => !MARKDOWN_ATTRIBUTES.includes(name))) return true;
  if (tagName === "a" || tagName === "img") {
    const address = String(properties.href ?? properties.src ?? "").replace(/^mailto:/, "");
    return !KNOWN.some((known) => isKnownAddress(address, known)) && !(tagName === "a" && /^\w+@/.test(address));
  }
  // the checkbox of a task list
  if (tagName === "input") return properties.type !== "checkbox" || properties.disabled !== true;
  return ACTIVE.test(tagName);
}

/** Viewers differ in where a bare address ends, but only punctuation can follow it. */
function isKnownAddress(address: string, known: string): boolean {
  return address.startsWith(known) && /^(?:$|%[\dA-F]{2}|[^\w/])/.test(address.slice(known.length));
}

describe("an answer with markup in it", () => {
  it.each([
    ["<img src=//evil.example/x onerror=alert(1)>", "&lt;img src=//evil.example/x onerror=alert(1)>"],
    ["\\<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"],
    ["<svg/onload=alert(1)>", "&lt;svg/onload=alert(1)>"],
    ["<b onclick=x>", "&lt;b onclick=x>"],
    ["<!--><img>", "&lt;!-->&lt;img>"],
    ["a <br> b </b> <Enter>", "a <br> b </b> <Enter>"],
    ["5 < 6, a <- b, i<3", "5 < 6, a <- b, i<3"],
    ["<https://norte.example/help>", "https://norte.example/help"],
    ["[x]: javascript:alert(1))\n\n[x]", "[x]"],
    ["As rule [1]: do it.", "As rule [1]: do it."],
    ["`<img src=x onerror=alert(1)>`", "`< img src=x onerror=alert(1)>`"],
    ["```html\n<b>\n<!-- c -->\n```", "```html\n<b>\n< !-- c -->\n```"],
    ["![logo](https://norte.example/logo.png)", "![logo](https://norte.example/logo.png)"],
    ["> [x]: /logout", "> [x] : /logout"],
    ["[x]:\n/logout", "[x] :\n/logout"],
    ["![x](/logout) ![y](data:image/png;base64,AA)", "x y"],
    ["[x](javascript&colon;alert(1)) [y](java&#10;script:z)", "x y"],
    ["ftp://evil.example/x", "evil.example/x"],
  ])("%j becomes %j", (answer, expected) => {
    // add citations, so that the cited address is kept
    const cited = expected.includes("norte") ? " [1][2]" : "";
    const checked = checkCitations(answer + cited, chunks);
    expect(checked.replace(/ \[1\]\[2\]$/, "")).toBe(expected);
    expect(dangersOf(checked)).toEqual([]);
  });

  it("keeps code readable, and unchanged except for tags in it", () => {
    const code = 'if (a[0] < b && c <= d) { return list<T>(x); } // <T> & "q"';
    const [element] = shown(checkCitations(`\`\`\`ts\n${code}\n\`\`\``, chunks)).asMarkdown.slice(1);
    expect(element && textOf(element).trim()).toBe(code);
  });

  const piece = fc.constantFrom(
    ..."[]()!<>`\\\n\r\t &\"'*_~|:;=/#-+.@{}".split(""),
    ...["\n\n", "\n    ", "\n> ", "\n- ", "\n1. ", "```", "~~~", "``", "\n```\n", "$&", "\0", "[^1]: ", "[a]: ", "]: "],
    ...["<img src=", "<img", " onerror=alert(1)", "<script>", "</script>", "<svg/onload=x>", "<a href=", "<!--", "-->"],
    ...["<?", "<![CDATA[", "]]>", "<b>", "</b>", "<br>", "<p", "<p>", "<div>", "<pre>", "</pre>", "<table>", "<x-y>"],
    ...["](", "![", "![](", "](//evil.example)", "[1]", "[1](", "[a][b]", "[a]", "!]", "(<", ">)", ' "title")'],
    ...["javascript:alert(1)", "data:text/html,x", "&lt;", "&#60;", "&colon;", "&NewLine;", "vbscript:x"],
    ...[
      "https://evil.example/x",
      "//evil.example/x.png",
      "www.evil.example",
      "ftp://evil.example",
      "HTTP://evil.example",
    ],
    ...KNOWN,
    "x",
    "word ",
  );
  const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

  it("contains nothing that a page would fetch or run, as HTML or as Markdown", () => {
    fc.assert(
      fc.property(text, (answer) => {
        expect(dangersOf(checkCitations(answer, chunks))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });

  it("does not change when it is checked again", () => {
    fc.assert(
      fc.property(text, (answer) => {
        const checked = checkCitations(answer, chunks);
        expect(checkCitations(checked, chunks)).toBe(checked);
      }),
      { numRuns: 300 },
    );
  });

  it("contains nothing from a hostile document either, with the local model", async () => {
    const question = "How is the gift card refund paid?";
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (texts) => {
        const content = texts.map((hostile) => `The gift card refund is paid ${hostile} by the till.`).join("\n\n");
        const results = [{ ...chunkOf(content), metadata: {} }];
        const model = createExtractiveModel();
        const asked = { question, language: "en", results, context: {}, streamed: false } as const;
        const { answer } = await returnValueOf(streamAnswer({ model, fallback: null, ...asked }));
        const own = dangersOf(answer).filter(
          (danger) => !/"(?:href|src)":"(?:(?:https?|ftp):\/\/|mailto:)/i.test(danger),
        );
        expect(own).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "[",
    "](",
    "![",
    "[a](",
    "<a",
    "*a",
    "`",
    "``a",
    "> ",
    "1. ",
    "- + ",
    "]]",
    "]: ",
    "[a]: ",
    "www.a",
    "a@b.c ",
    "|",
    "&lt;",
    "\\<",
    "<b>",
    "https://a ",
    "[a](https://b/(",
    "- a\n",
    "~~~\n",
  ])("takes little time for %j repeated many times", (part) => {
    const answer = part.repeat(8_000 / part.length);
    const times = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      checkCitations(answer, chunks);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    // the least, because the process also collects garbage
    expect(Math.min(...times)).toBeLessThan(400);
  });
});

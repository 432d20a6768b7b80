import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { fc } from "../testing/property.ts";
import { checkCitations, withoutCitations } from "./citations.ts";
import { citedNumbers } from "./find-citations.ts";

function chunksOf(...contents: string[]) {
  return contents.map((content) => ({ title: "", path: [], content, sourceType: "document", score: 1 }));
}

const three = chunksOf("one", "two", "three");

describe("citations", () => {
  it.each([
    ["Yes [1]. No [2][3].", "Yes [1]. No [2][3]."],
    ["Yes [1, 2].", "Yes [1][2]."],
    ["Yes [1,2;3].", "Yes [1][2][3]."],
    ["Yes [1-3].", "Yes [1][2][3]."],
    ["Yes [1 and 3].", "Yes [1][3]."],
    ["Yes [1], [2].", "Yes [1][2]."],
    ["Yes [1] [1].", "Yes [1]."],
    ["Yes 【2†source】.", "Yes [2]."],
    ["Yes [^2].", "Yes [2]."],
    ["Yes [chunk 2].", "Yes [2]."],
    ["Yes [passages 1 and 2].", "Yes [1][2]."],
    ["Yes [4].", "Yes."],
    ["Yes [0] and [99] no.", "Yes and no."],
    ["Yes [2, 7].", "Yes [2]."],
    ["Yes [3-1].", "Yes [3][1]."],
    ["Line one.\n[9] Line two", "Line one.\n Line two"],
    ["In [2024] it rained.", "In [2024] it rained."],
    ["- [ ] task [x]", "- [ ] task [x]"],
  ])("%j becomes %j", (answer, expected) => {
    expect(checkCitations(answer, three)).toBe(expected);
  });

  it("leaves code alone", () => {
    const answer = "Call `rows[7]`:\n\n```\nx[8] = [1, 2]\n```\n\nDone [1].";
    expect(checkCitations(answer, three)).toBe(answer);
  });

  it("shows the numbers of a stored text without citing them, except in code", () => {
    const stored =
      "See section [2] and [12](https://a.b).\r\n\r\n```\r\nx[8]\r\n```\r\n\r\nCall `rows[7]` in [2024]. [1]";
    expect(withoutCitations(stored)).toBe(
      "See section [ 2 ] and [ 12 ](https://a.b).\r\n\r\n```\r\nx[8]\r\n```\r\n\r\nCall `rows[7]` in [2024]. [ 1 ]",
    );
  });

  it.each([
    ["Use `argv[1]`.", []],
    ["Use `argv[1]` [2].", [2]],
    ["```\nx[1]\n```\n\nYes [2][3]. [2]", [2, 3]],
    ["```\r\nx[1]\r\n```\r\n\r\nYes [3].", [3]],
    ["A lone ` is not code [1].", [1]],
  ])("%j cites %j", (answer, cited) => {
    expect(citedNumbers(answer)).toEqual(cited);
  });

  it("cites only chunks that exist, in any text, and does not change on a second pass", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "[",
        "]",
        "【",
        "】",
        ", ",
        "-",
        "^",
        "`",
        "word",
        ". ",
        "\n",
        "(",
        ")",
        "!",
        "†",
        "[1]",
        "[1, 9]",
        "[^3]",
      ),
      fc.nat(120).map(String),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.nat(5), (pieces, count) => {
        const chunks = chunksOf(...Array.from({ length: count }, () => "text"));
        const checked = checkCitations(pieces.join(""), chunks);
        for (const number of citedNumbers(withoutCode(checked))) {
          expect(number).toBeGreaterThanOrEqual(1);
          expect(number).toBeLessThanOrEqual(count);
        }
        expect(checkCitations(checked, chunks)).toBe(checked);
      }),
    );
  });
});

describe("links and images", () => {
  const chunks = chunksOf(
    "Write to help@norte.example or see https://norte.example/help.",
    "Other: https://other.example/a?b=1",
  );

  it.each([
    ["See [help](https://norte.example/help) [1].", "See [help](https://norte.example/help) [1]."],
    ["See https://norte.example/help. [1]", "See https://norte.example/help. [1]"],
    ["Write to help@norte.example [1].", "Write to help@norte.example [1]."],
    ["See [help](https://evil.example/?q=secret) [1].", "See help [1]."],
    ["See [help](https://norte.example/help?q=secret) [1].", "See help [1]."],
    ["See [other](https://other.example/a?b=1) [1].", "See other [1]."],
    ["See [other](https://other.example/a?b=1) [2].", "See [other](https://other.example/a?b=1) [2]."],
    ["![pixel](https://evil.example/p.png?d=1) Yes [1].", "pixel Yes [1]."],
    [
      "[![pixel](https://evil.example/p.png)](https://norte.example/help) [1]",
      "[pixel](https://norte.example/help) [1]",
    ],
    ["[https://norte.example/help<[1] :", "[https://norte.example/help <[1] :"],
    ["https://norte.example/help`[`[1]", "https://norte.example/help `[`[1]"],
    ["Yes [1].\n\n[1]: <https://evil.example/x y>", "Yes [1]."],
    ["Visit https://evil.example/x [1].", "Visit evil.example/x [1]."],
    ["Visit <https://evil.example/x> [1].", "Visit evil.example/x [1]."],
    ["Yes [1].\n\n[1]: https://evil.example/x", "Yes [1]."],
    ["Yes [1](https://evil.example/x).", "Yes [1]."],
    ["A [link][ref] [1].\n\n[ref]: https://evil.example", "A [link][ref] [1]."],
    ["Run [this](javascript:alert(1)) [1].", "Run this [1]."],
    ['Yes <img src="https://evil.example/p.png"> [1].', 'Yes &lt;img src="evil.example/p.png"> [1].'],
    ["Ask me@evil.example or www.evil.example [1].", "Ask me(at)evil.example or evil.example [1]."],
    ["One<br>two [1]", "One<br>two [1]"],
    ["Press <Enter> [1]", "Press <Enter> [1]"],
    ["Run <script>x()</script> [1]", "Run &lt;script>x()&lt;/script> [1]"],
    ["Less than 5 < 6 and `<b>` [1]", "Less than 5 < 6 and `<b>` [1]"],
  ])("%j becomes %j", (answer, expected) => {
    expect(checkCitations(answer, chunks)).toBe(expected);
  });

  it("keeps no address that the cited chunks do not contain, however the Markdown is put together", () => {
    const piece = fc.constantFrom(
      ..."[]()!<>`\\\n \"'*_|:".split(""),
      "https://evil.example/x",
      "www.evil.example",
      "me@evil.example",
      "https://norte.example/help",
      "](",
      "![",
      "[a]: ",
      "[^1]: ",
      "[1]",
      "<img src=",
      "javascript:x",
      "word",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const checked = checkCitations(pieces.join(""), chunks);
        // viewers may count the punctuation after an address as part of it
        const addresses = addressesIn(parse(checked)).map((url) => url.replace(/[?!.,:;*_~'")\]]+$/, ""));
        expect(addresses.filter((url) => !chunks.some(({ content }) => content.includes(url)))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

function parse(text: string) {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Every address that a Markdown viewer would link or fetch; raw HTML counts as a whole. */
function addressesIn(node: Nodes): string[] {
  if (node.type === "html") return /=/.test(node.value) ? [node.value] : [];
  const own =
    node.type === "link" || node.type === "image" || node.type === "definition"
      ? [node.url.replace("mailto:", "")]
      : [];
  return "children" in node ? [...own, ...node.children.flatMap(addressesIn)] : own;
}

function withoutCode(text: string): string {
  const ranges = codeIn(parse(text));
  return [...text].length === 0
    ? text
    : ranges.reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
}

function codeIn(node: Nodes): [number, number][] {
  if (node.type === "code" || node.type === "inlineCode") {
    return [[node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]];
  }
  return "children" in node ? node.children.flatMap(codeIn) : [];
}

import { expect, test } from "vitest";
import { parseMarkdown } from "./markdown.ts";

test("reads title and metadata from front matter", () => {
  const { title, metadata, blocks } = parseMarkdown(
    "---\ntitle: Terms\nversion: 2\ndate: 2024-01-05\ntags: [a, b]\n---\n# Terms of service\n\nText.",
  );
  expect(title).toBe("Terms");
  expect(metadata).toMatchObject({ version: 2 });
  expect(metadata).not.toHaveProperty("tags");
  expect(blocks[0]).toEqual({ kind: "heading", level: 1, text: "Terms of service" });
});

test("reads the text despite an error in the front matter", () => {
  expect(parseMarkdown("---\n: [\n---\nText.").blocks).toEqual([{ kind: "paragraph", text: "Text." }]);
});

test("reads headings, lists, code and tables", () => {
  const { blocks } = parseMarkdown(
    "Intro\n===\n\n## Part\n\nOne line\nand the next.\n\n- a\n- b\n  1. c\n\n```js\nlet x;\n```\n\n| A | B |\n|---|---|\n| 1 | [two](https://x.example) |\n",
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Intro" },
    { kind: "heading", level: 2, text: "Part" },
    { kind: "paragraph", text: "One line and the next." },
    { kind: "list", text: "- a\n- b\n  1. c" },
    { kind: "code", text: "let x;\n" },
    { kind: "table", header: ["A", "B"], rows: [["1", "two"]] },
  ]);
});

test("tells done tasks from open ones", () => {
  const { blocks } = parseMarkdown("- [x] pay\n- [ ] sign\n- send");
  expect(blocks).toEqual([{ kind: "list", text: "- [x] pay\n- [ ] sign\n- send" }]);
  expect(parseMarkdown("1. [x] pay\n\n2. [ ] sign").blocks).toEqual([
    { kind: "list", text: "1. [x] pay\n2. [ ] sign" },
  ]);
});

test("keeps lines of labels and values apart, and joins wrapped prose", () => {
  const texts = (markdown: string) =>
    parseMarkdown(markdown).blocks.map((block) => block.kind !== "table" && block.text);
  expect(texts("Weight: 38 kg\n**Colours:** moss green\nRange: 85 km, less in winter")).toEqual([
    "Weight: 38 kg\nColours: moss green\nRange: 85 km, less in winter",
  ]);
  expect(texts("> Weight: 38 kg\n> Load: 180 kg")).toEqual(["Weight: 38 kg\nLoad: 180 kg"]);
  expect(texts("1st prize: 500 €\n2nd prize: 200 €")).toEqual(["1st prize: 500 €\n2nd prize: 200 €"]);
  expect(texts("Remember: the shop\nis closed on Sunday.")).toEqual(["Remember: the shop is closed on Sunday."]);
  expect(texts("Note: you can pay\nin two ways: card or cash.")).toEqual([
    "Note: you can pay in two ways: card or cash.",
  ]);
});

test("reads embedded HTML as HTML, and a placeholder in angle brackets as text", () => {
  const { blocks } = parseMarkdown(
    "<details><summary>More</summary>\n\nHidden **text**<br>here\n\n</details>\n\n<script>x()</script>\n\n<!-- note -->\n\nType `ssh <host>` or <your-name> here.",
  );
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual([
    "More",
    "Hidden text\nhere",
    "Type ssh <host> or <your-name> here.",
  ]);
});

test("reads a long text in parts without losing any", () => {
  const section = (index: number) =>
    `## Section ${index}\n\n${"Words of the section. ".repeat(40)}\n\n\`\`\`\n# no heading\n\n\`\`\`\n\n`;
  const { blocks } = parseMarkdown(Array.from({ length: 300 }, (_, index) => section(index)).join(""));
  expect(blocks.filter(({ kind }) => kind === "heading")).toHaveLength(300);
  expect(blocks.filter(({ kind }) => kind === "code")).toHaveLength(300);
});

test("keeps footnotes and definitions that nothing refers to", () => {
  const texts = (markdown: string) =>
    parseMarkdown(markdown).blocks.map((block) => block.kind !== "table" && block.text);
  expect(
    texts(
      "See [the terms] and this[^1].\n\n[the terms]: terms.md\n[old]: https://x.example\n[//]: # (a comment)\n\n" +
        "[Phone]: +39-055-123\n[Status]: open\n\n> [Floor]: 2\n\n[^1]: A used note.\n[^2]: An unused *note*.\n\n    Its end.",
    ),
  ).toEqual([
    "See the terms and this [1].",
    "[Phone]: +39-055-123",
    "[Status]: open",
    "[Floor]: 2",
    "An unused note.",
    "Its end.",
    "Footnotes",
    "1. A used note.",
  ]);
  const long = `Text[^note].\n\n${`${"Words of the section. ".repeat(40)}\n\n`.repeat(130)}`;
  expect(texts(`${long}# Notes\n\n[^note]: The fee is 7 euros.\n`).at(-1)).toBe("The fee is 7 euros.");
});

test("keeps the numbers of footnotes and exponents apart from the numbers before them", () => {
  const { blocks } = parseMarkdown("€49[^1] a month, within 30[^2] days, 10<sup>6</sup>\n\n[^1]: One.\n[^2]: Two.");
  expect(blocks[0]).toEqual({ kind: "paragraph", text: "€49 [1] a month, within 30 [2] days, 10^6" });
  expect(blocks.at(-1)).toEqual({ kind: "list", text: "1. One.\n2. Two." });
});

test.each([
  ["30<sup>1, *2*</sup> days", "30^1, 2 days"],
  ["10<sup>6</sup>, 10<sup>*-3* `m`</sup>, 5<sup>", "10^6, 10^-3 m, 5"],
  ['free.<sup><a href="#n">1</a></sup> Refunds', "free.[1] Refunds"],
])("joins what the tags of superscripts enclose in %s", (markdown, text) => {
  expect(parseMarkdown(markdown).blocks).toEqual([{ kind: "paragraph", text }]);
});

test.each([
  ["emphasis", "a**b".repeat(50_000)],
  ["underscores", "a _b ".repeat(50_000)],
  ["links", "![a](<".repeat(30_000)],
  ["comments", "a <!-- ".repeat(30_000)],
  ["that start like code", `\`\`\` \`a${"a**b".repeat(50_000)}`],
  ["that start like HTML", `<div-a ${"a**b".repeat(50_000)}`],
])("keeps a paragraph of thousands of marks (%s) as plain text and reads the text around it", (_, marks) => {
  const started = process.cpuUsage().user;
  const { blocks } = parseMarkdown(`# Title\n\n${marks.trim()}\n\n*After* it`);
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    { kind: "paragraph", text: marks.trim() },
    { kind: "paragraph", text: "After it" },
  ]);
  // parsing it as Markdown would take minutes
  expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
});

test("reads superscripts around a long text in linear time", () => {
  const started = process.cpuUsage().user;
  const { blocks } = parseMarkdown(`<p>5${"<sup>1<span>".repeat(700)}${"9".repeat(2_000_000)}`);
  expect(blocks).toEqual([{ kind: "paragraph", text: `5^${"1".repeat(700)}${"9".repeat(2_000_000)}` }]);
  expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
});

test("code, tables and lists with thousands of marks keep their structure", () => {
  const row = "| [a](b) | *c* |\n";
  const { blocks } = parseMarkdown(
    `\`\`\`\n${"a[i] = *b & <c>;\n".repeat(1_000)}\`\`\`\n\n| A | B |\n|---|---|\n${row.repeat(800)}\n\n${"- [a](b) *c*\n".repeat(800)}`,
  );
  expect(blocks.map(({ kind }) => kind)).toEqual(["code", "table", "list"]);
  expect(blocks[1]).toMatchObject({ rows: expect.arrayContaining([["a", "c"]]) });
});

test("refuses quotes and lists nested hundreds deep", () => {
  for (const deep of [">".repeat(5_000), "> ".repeat(5_000), "- ".repeat(5_000), "1. ".repeat(5_000)]) {
    expect(() => parseMarkdown(deep)).toThrow("The content is nested too deeply to read.");
  }
  expect(parseMarkdown("> > - quoted").blocks).toHaveLength(1);
});

test.each([
  ["~~€49~~ €39", "€39"],
  ["~~**€49**~~ €39<s>.99 *or* so</s>", "€39"],
  ["<del>€49<sup>1</sup> `a`</del> €39<strike>.99</strike>", "€39"],
  ["<del>\n\n€49\n\n</del>\n\n€39", "€39"],
  [`€39\n\n${"<s>\n\n".repeat(5_000)}€49\n\n${"</s>\n\n".repeat(5_000)}`, "€39"],
])("leaves out the struck-out text of %j, and says so", (markdown, text) => {
  expect(parseMarkdown(markdown)).toMatchObject({
    blocks: [{ kind: "paragraph", text }],
    notice: expect.stringContaining("Struck-out text was left out."),
  });
});

test.each([
  ["nothing else", "# Tasks\n\n- ~~pay~~\n- ~~sign~~", "- pay\n- sign"],
  ["done tasks", "- [x] ~~pay~~\n- [ ] sign", "- [x] pay\n- [ ] sign"],
  ["done tasks between lines", "- [x] ~~pay~~\n\n- [ ] sign", "- [x] pay\n- [ ] sign"],
  ["code", "- `~~pay~~`", "- ~~pay~~"],
])("keeps struck-out text of %s", (_, markdown, text) => {
  const { blocks, notice } = parseMarkdown(markdown);
  expect(blocks.at(-1)).toEqual({ kind: "list", text });
  expect(notice).toBeUndefined();
});

test("keeps the struck-out name of a row, and leaves out its other struck-out cells", () => {
  const table = "| Plan | Price |\n|---|---|\n| Free | €0 |\n| ~~Basic~~ | €50 |\n| Pro | ~~€90~~ €80 |";
  expect(parseMarkdown(table).blocks).toMatchObject([
    {
      rows: [
        ["Free", "€0"],
        ["Basic", "€50"],
        ["Pro", "€80"],
      ],
    },
  ]);
});

test("keeps single tildes, which stand for ranges and estimates", () => {
  expect(parseMarkdown("Open 9~12, 14~18 o'clock.").blocks).toEqual([
    { kind: "paragraph", text: "Open 9~12, 14~18 o'clock." },
  ]);
});

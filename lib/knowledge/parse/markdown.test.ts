import { expect, test } from "vitest";
import { parseMarkdown } from "./markdown.ts";

test("front matter gives title and metadata", () => {
  const { title, metadata, blocks } = parseMarkdown(
    "---\ntitle: Terms\nversion: 2\ndate: 2024-01-05\ntags: [a, b]\n---\n# Terms of service\n\nText.",
  );
  expect(title).toBe("Terms");
  expect(metadata).toMatchObject({ version: "2" });
  expect(metadata).not.toHaveProperty("tags");
  expect(blocks[0]).toEqual({ kind: "heading", level: 1, text: "Terms of service" });
});

test("a mistake in the front matter does not keep the text out", () => {
  expect(parseMarkdown("---\n: [\n---\nText.").blocks).toEqual([{ kind: "paragraph", text: "Text." }]);
});

test("headings, lists, code, tables", () => {
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

test("HTML inside is read as HTML, and a placeholder in angle brackets as text", () => {
  const { blocks } = parseMarkdown(
    "<details><summary>More</summary>\n\nHidden **text**<br>here\n\n</details>\n\n<script>x()</script>\n\n<!-- note -->\n\nType `ssh <host>` or <your-name> here.",
  );
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual([
    "More",
    "Hidden text\nhere",
    "Type ssh <host> or <your-name> here.",
  ]);
});

test("a long text is read in parts without losing any of it", () => {
  const section = (index: number) =>
    `## Section ${index}\n\n${"Words of the section. ".repeat(40)}\n\n\`\`\`\n# no heading\n\n\`\`\`\n\n`;
  const { blocks } = parseMarkdown(Array.from({ length: 300 }, (_, index) => section(index)).join(""));
  expect(blocks.filter(({ kind }) => kind === "heading")).toHaveLength(300);
  expect(blocks.filter(({ kind }) => kind === "code")).toHaveLength(300);
});

import { expect, test } from "vitest";
import { parseDocx } from "./docx.ts";
import { makeDocx, wordParagraph, wordTable } from "./fixtures.ts";

test("reads heading styles, bold headings, paragraphs and tables", async () => {
  const { title, blocks } = await parseDocx(
    makeDocx(
      wordParagraph("Handbook", { style: "Title" }) +
        wordParagraph("Scope", { style: "Heading1" }) +
        wordParagraph("Whom it concerns", { bold: true }) +
        wordParagraph("Everyone &amp; all.") +
        wordParagraph("Note:", { bold: true }) +
        wordTable([
          ["Plan", "Price", "Term"],
          ["Basic", "10 €", "1 year"],
        ]),
    ),
  );
  expect(title).toBe("Handbook");
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Handbook" },
    { kind: "heading", level: 1, text: "Scope" },
    { kind: "heading", level: 7, text: "Whom it concerns" },
    { kind: "paragraph", text: "Everyone & all." },
    { kind: "paragraph", text: "Note:" },
    { kind: "table", header: ["Plan", "Price", "Term"], rows: [["Basic", "10 €", "1 year"]] },
  ]);
});

test.each([
  ["Return &amp; refund policy", "Return & refund policy"],
  ["Microsoft Word - draft.docx", null],
  ["Document1", null],
  ["", null],
])("the title property %j gives %j", async (property, title) => {
  expect((await parseDocx(makeDocx(wordParagraph("Text."), { title: property }))).title).toBe(title);
});

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

test("leaves out hidden text, and says so", async () => {
  const run = (format: string, text: string) =>
    `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const style = (id: string, rest: string) => `<w:style w:type="paragraph" w:styleId="${id}">${rest}</w:style>`;
  const { blocks, notice } = await parseDocx(
    makeDocx(
      `<w:p>${run("", "Costs 10 € ")}${run("<w:vanish/>", "our cost: 4 € ")}${run('<w:vanish w:val="0"/>', "a month")}</w:p>` +
        `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run("", "Only the mark is hidden.")}</w:p>` +
        wordParagraph("internal", { style: "Internal" }) +
        `<w:p><w:pPr><w:pStyle w:val="Derived"/></w:pPr>${run("", "internal too")}${run('<w:vanish w:val="false"/>', "Shown again.")}</w:p>` +
        `<w:p>${run("<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>", "Hidden before the change.")}</w:p>` +
        `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:pict><v:textbox><w:txbxContent>${wordParagraph("box")}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`,
      {
        styles:
          style("Internal", '<w:name w:val="Internal"/><w:rPr><w:vanish/></w:rPr>') +
          style("Derived", '<w:name w:val="Derived"/><w:basedOn w:val="Internal"/>'),
      },
    ),
  );
  expect(blocks.map((block) => "text" in block && block.text)).toEqual([
    "Costs 10 € a month",
    "Only the mark is hidden.",
    "Shown again.",
    "Hidden before the change.",
  ]);
  expect(notice).toContain("Hidden text was left out.");
});

test("a document without hidden text has no notice", async () => {
  expect((await parseDocx(makeDocx(wordParagraph("Text.")))).notice).toBeUndefined();
});

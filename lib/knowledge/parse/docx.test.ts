import { expect, test } from "vitest";
import { parseDocx } from "./docx.ts";
import { makeDocx, makeZip, wordParagraph, wordTable, type ZipFixture } from "./fixtures.ts";
import { parseBytes } from "./parse.ts";

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

const run = (format: string, content: string) => `<w:r><w:rPr>${format}</w:rPr>${content}</w:r>`;
const text = (value: string) => `<w:t xml:space="preserve">${value}</w:t>`;
const style = (id: string, rest: string, type = "paragraph") =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${rest}</w:style>`;
const HIDDEN_STYLES =
  style("Internal", "<w:rPr><w:vanish/></w:rPr>") +
  style("Derived", '<w:basedOn w:val="Internal"/>') +
  style("Secret", "<w:rPr><w:vanish/></w:rPr>", "character");
const inStyle = (id: string, ...runs: string[]) =>
  `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${runs.join("")}</w:p>`;

test.each([
  [
    "hidden runs",
    `<w:p>${run("", text("Costs 10 € "))}${run("<w:vanish/>", text("ours: 4 € "))}${run("<w:vanish w:val='0'/>", text("a month"))}</w:p>`,
    "Costs 10 € a month",
  ],
  [
    "symbols",
    `<w:p>${run("", text("Shown"))}${run("<w:vanish/>", `<w:noBreakHyphen/>${text("internal")}`)}</w:p>`,
    "Shown",
  ],
  ["a paragraph's style", inStyle("Internal", run("", text("internal"))) + wordParagraph("Shown"), "Shown"],
  [
    "a derived style, unless a run is shown",
    inStyle("Derived", run("", text("internal ")), run('<w:vanish w:val="false"/>', text("Shown"))),
    "Shown",
  ],
  [
    "a run's style",
    `<w:p>${run("", text("Shown"))}${run('<w:rStyle w:val="Secret"/>', text(" internal"))}</w:p>`,
    "Shown",
  ],
  [
    "a run after a change without content",
    `<w:p>${run("<w:rPrChange/>", text("Shown"))}${run("<w:vanish/>", text(" internal"))}</w:p>`,
    "Shown",
  ],
  [
    "a text box of a hidden run",
    wordParagraph("Shown") +
      `<w:p>${run("<w:vanish/>", `<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${wordParagraph("box")}</w:txbxContent></v:textbox></v:shape></w:pict>`)}</w:p>`,
    "Shown",
  ],
])("leaves out %s, and says so", async (_, body, shown) => {
  const { blocks, notice } = await parseDocx(makeDocx(body, { styles: HIDDEN_STYLES }));
  expect(blocks).toEqual([{ kind: "paragraph", text: shown }]);
  expect(notice).toContain("Hidden text was left out.");
});

const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** A document whose parts have other names than Word's. */
function docxOf({ document, styles }: { document: string; styles: string }): Buffer {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relation = (name: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${type}/${name}" Target="${target}"/></Relationships>`;
  return makeZip([
    {
      name: "[Content_Types].xml",
      data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    { name: "_rels/.rels", data: relation("officeDocument", "text/main.xml") },
    { name: "text/_rels/main.xml.rels", data: relation("styles", "looks.xml") },
    { name: "text/main.xml", data: document },
    { name: "text/looks.xml", data: styles },
  ]);
}

test.each([
  ["the prefix ns0", "ns0:", `xmlns:ns0="${MAIN}"`],
  ["no prefix for elements", "", `xmlns="${MAIN}" xmlns:ns0="${MAIN}"`],
])("leaves out hidden text in parts with other names and %s", async (_, prefix, namespaces) => {
  const named = (xml: string) => xml.replaceAll(/(<\/?)w:/g, `$1${prefix}`).replaceAll(/ w:/g, " ns0:");
  const body = `<w:p>${run("", text("Shown"))}${run("<w:vanish/>", text(" internal"))}</w:p>${inStyle("Internal", run("", text("secret")))}`;
  const { blocks, notice } = await parseDocx(
    docxOf({
      document: named(`<w:document ${namespaces}><w:body>${body}</w:body></w:document>`),
      styles: named(`<w:styles ${namespaces}>${HIDDEN_STYLES}</w:styles>`),
    }),
  );
  expect(blocks).toEqual([{ kind: "paragraph", text: "Shown" }]);
  expect(notice).toContain("Hidden text was left out.");
});

/** A part beside the document that the document refers to. */
function linkedPart(name: string, content: string): ZipFixture[] {
  const type = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}`;
  return [
    {
      name: "word/_rels/document.xml.rels",
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="n1" Type="${type}" Target="${name}.xml"/></Relationships>`,
    },
    { name: `word/${name}.xml`, data: `<w:${name} xmlns:w="${MAIN}">${content}</w:${name}>` },
  ];
}

test("leaves out the footnote of a hidden run", async () => {
  const note = (id: number, content: string) => `<w:footnote w:id="${id}">${wordParagraph(content)}</w:footnote>`;
  const reference = (format: string, id: number) => run(format, `<w:footnoteReference w:id="${id}"/>`);
  const { blocks } = await parseDocx(
    makeDocx(
      `<w:p>${run("", text("Shown"))}${reference("", 1)}${run("<w:vanish/>", text("x"))}${reference("<w:vanish/>", 2)}</w:p>`,
      { extra: linkedPart("footnotes", note(1, "a note") + note(2, "secret")) },
    ),
  );
  expect(JSON.stringify(blocks)).toContain("a note");
  expect(JSON.stringify(blocks)).not.toContain("secret");
});

test("keeps superscripts and footnotes apart from the numbers before them", async () => {
  const raised = (value: string) => run('<w:vertAlign w:val="superscript"/>', text(value));
  const note = `<w:footnote w:id="1">${wordParagraph("a note")}</w:footnote>`;
  const { blocks } = await parseDocx(
    makeDocx(
      `<w:p>${run("", text("€49"))}${raised("1")}${run("", text(" a month, 10"))}${raised("6")}${run("", text(" for 30"))}${run("", '<w:footnoteReference w:id="1"/>')}${run("", text(" days"))}</w:p>`,
      { extra: linkedPart("footnotes", note) },
    ),
  );
  expect(blocks[0]).toEqual({ kind: "paragraph", text: "€49^1 a month, 10^6 for 30 [1] days" });
});

test.each(["<w:strike/>", "<w:dstrike/>", '<w:strike w:val="false"/><w:dstrike w:val="1"/>'])(
  "leaves out text that is struck out by %s, and says so",
  async (format) => {
    const shown = run('<w:dstrike w:val="0"/>', text("€39"));
    const body = `<w:p>${run("", text("Costs "))}${run(format, text("€49 "))}${run("<w:vanish/>", text("x"))}${shown}</w:p>`;
    const { blocks, notice } = await parseDocx(makeDocx(body));
    expect(blocks).toEqual([{ kind: "paragraph", text: "Costs €39" }]);
    expect(notice).toMatch(/^Hidden text was left out\. .* Struck-out text was left out\. /);
  },
);

test("keeps a heading in bold that is struck out", async () => {
  const struck = `<w:p>${run("<w:b/><w:strike/>", text("Old plan"))}</w:p>`;
  expect((await parseDocx(makeDocx(struck + wordParagraph("€49")))).blocks[0]?.kind).toBe("heading");
});

const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const formula = (content: string) => `<m:oMath ${MATH}>${content}</m:oMath>`;
const inFormula = (value: string, format = "") => `<m:r>${format}<m:t>${value}</m:t></m:r>`;
const power = `<m:sSup><m:e>${inFormula("10")}</m:e><m:sup>${inFormula("6")}</m:sup></m:sSup>`;
const half = `<m:f><m:num>${inFormula("1")}</m:num><m:den>${inFormula("2")}</m:den></m:f>`;

test.each([
  [
    "a simple field",
    `<w:fldSimple w:instr=" DOCPROPERTY Number ">${run("<w:b/>", text("AB-123"))}</w:fldSimple>`,
    "Number AB-123 of 1 May",
  ],
  [
    "attributes with quotes and greater than",
    `<w:fldSimple w:instr='IF "a>b"' w:dirty="it's">${run("", text("AB "))}</w:fldSimple>` +
      `<m:oMath ${MATH} m:x="a>b"/>${formula('<m:r><m:t m:x="a>b">c</m:t></m:r>')}`,
    "Number AB c of 1 May",
  ],
  ["a formula", formula(inFormula("a = ") + power + inFormula(" &lt; ") + half), "Number a = 10^6 < 1/2 of 1 May"],
  ["a formula of its own", `<m:oMathPara ${MATH}>${formula(inFormula("b"))}</m:oMathPara>`, "Number b of 1 May"],
  ["an empty formula and field", `<m:oMath ${MATH}/><w:fldSimple w:instr="x"/>`, "Number of 1 May"],
])("reads the text of %s", async (_, content, shown) => {
  const body = `<w:p>${run("", text("Number "))}${content}${run("", text(" of 1 May"))}</w:p>`;
  expect((await parseDocx(makeDocx(body))).blocks).toEqual([{ kind: "paragraph", text: shown }]);
});

test("leaves out hidden text of fields and formulas", async () => {
  const hidden = inFormula("secret", "<w:rPr><w:vanish/></w:rPr>");
  const field = `<w:fldSimple w:instr="x">${run("<w:vanish/>", text("secret"))}</w:fldSimple>`;
  const { blocks, notice } = await parseDocx(makeDocx(`<w:p>${formula(inFormula("Shown") + hidden)}${field}</w:p>`));
  expect(blocks).toEqual([{ kind: "paragraph", text: "Shown" }]);
  expect(notice).toContain("Hidden text was left out.");
});

test("leaves out comments and deleted text", async () => {
  const comment = `<w:comment w:id="1" w:author="Ada">${wordParagraph("secret")}</w:comment>`;
  const deleted = `<w:del w:id="2"><w:r><w:delText>secret</w:delText></w:r></w:del>`;
  const moved = `<w:moveFrom w:id="3">${run("", text("moved"))}</w:moveFrom><w:moveTo w:id="4">${run("", text(" moved"))}</w:moveTo>`;
  const { blocks, notice } = await parseDocx(
    makeDocx(
      `<w:p><w:commentRangeStart w:id="1"/>${deleted}${run("", text("Shown"))}${moved}<w:commentRangeEnd w:id="1"/>${run("", '<w:commentReference w:id="1"/>')}</w:p>`,
      { extra: linkedPart("comments", comment) },
    ),
  );
  expect(blocks).toEqual([{ kind: "paragraph", text: "Shown moved" }]);
  expect(notice).toBeUndefined();
});

test.each([
  ["a paragraph whose mark is hidden", `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run("", text("Shown"))}</w:p>`],
  [
    "text that was hidden before a change",
    `<w:p>${run("<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>", text("Shown"))}</w:p>`,
  ],
  [
    "a paragraph in a hidden style before a change",
    `<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="Internal"/></w:pPr></w:pPrChange></w:pPr>${run("", text("Shown"))}</w:p>`,
  ],
  [
    "text that two styles hide, which Word shows",
    inStyle("Internal", run('<w:rStyle w:val="Secret"/>', text("Shown"))),
  ],
  ["text beside a hidden space", `<w:p>${run("", text("Shown"))}${run("<w:vanish/>", text(" "))}</w:p>`],
])("keeps %s, without a notice", async (_, body) => {
  const { blocks, notice } = await parseDocx(makeDocx(body, { styles: HIDDEN_STYLES }));
  expect(blocks).toEqual([{ kind: "paragraph", text: "Shown" }]);
  expect(notice).toBeUndefined();
});

test("a document whose whole text is hidden is refused with the reason", async () => {
  const docx = makeDocx(`<w:p>${run("<w:vanish/>", text("internal"))}</w:p>`);
  await expect(parseBytes(docx, "a.docx")).rejects.toThrow("The file contains no text. Hidden text was left out.");
});

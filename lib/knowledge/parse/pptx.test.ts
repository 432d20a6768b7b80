import { expect, test } from "vitest";
import { makePptx, slideShape } from "./office-fixtures.ts";
import { parsePptx } from "./pptx.ts";

const TABLE =
  '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>' +
  '<a:tr><a:tc><a:txBody><a:p><a:r><a:t>Zone</a:t></a:r></a:p></a:txBody></a:tc><a:tc gridSpan="2"><a:p><a:r><a:t>Sales</a:t></a:r></a:p></a:tc><a:tc hMerge="1"/></a:tr>' +
  '<a:tr><a:tc rowSpan="2"><a:p><a:r><a:t>North</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>1</a:t></a:r></a:p></a:tc><a:tc/></a:tr>' +
  '<a:tr><a:tc vMerge="1"/><a:tc/><a:tc><a:p><a:r><a:t>2</a:t></a:r></a:p></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';

test("reads slides in order, with their title, lists, tables and notes", async () => {
  const { blocks, notice } = await parsePptx(
    makePptx([
      {
        shapes:
          slideShape(["Prices", " Basic", "Terms"], "body") +
          slideShape(["Our plans"], "title") +
          slideShape(["12 May"], "dt"),
        notes: "Say that prices include tax.",
      },
      { shapes: slideShape(["Draft"], "title"), isHidden: true },
      { shapes: `<p:grpSp>${slideShape(["Sales by zone"])}</p:grpSp>${TABLE}` },
    ]),
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Our plans", page: 1 },
    { kind: "list", text: "- Prices\n  - Basic\n- Terms", page: 1 },
    { kind: "heading", level: 2, text: "Speaker notes", page: 1 },
    { kind: "paragraph", text: "Say that prices include tax.", page: 1 },
    { kind: "heading", level: 1, text: "Sales by zone", page: 3 },
    {
      kind: "table",
      header: ["Zone", "Sales", "Sales"],
      rows: [
        ["North", "1", ""],
        ["North", "", "2"],
      ],
      page: 3,
    },
  ]);
  expect(notice).toMatch(/^Hidden content was left out: 1 slide\. /);
});

test("a slide without a title does not continue the slide before it", async () => {
  const long = "This text box fills the whole slide with a sentence. ".repeat(4);
  const { blocks } = await parsePptx(
    makePptx([{ shapes: slideShape(["First"], "title") }, { shapes: slideShape([long]) }, { shapes: "" }]),
  );
  expect(blocks.map(({ kind, page }) => [kind, page])).toEqual([
    ["heading", 1],
    ["heading", 2],
    ["paragraph", 2],
  ]);
  expect(blocks[1]).toMatchObject({ text: "Slide 2" });
});

test("skips the fallback of an alternative", async () => {
  const alternatives = `<mc:AlternateContent><mc:Choice>${slideShape(["Chosen"])}</mc:Choice><mc:Fallback>${slideShape(["Fallback"])}</mc:Fallback></mc:AlternateContent>`;
  const { blocks } = await parsePptx(makePptx([{ shapes: slideShape(["Steps"], "title") + alternatives }]));
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual(["Steps", "Chosen"]);
});

test("skips hidden shapes and groups, except for a hidden title", async () => {
  const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="2" hidden="1"/></p:nvGrpSpPr>${slideShape(["secret"])}</p:grpSp>`;
  const shapes =
    slideShape(["Prices"], "title", { isHidden: true }) +
    slideShape(["secret"], "", { isHidden: true }) +
    group +
    slideShape(["Shown"]);
  const { blocks, notice } = await parsePptx(makePptx([{ shapes }]));
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual(["Prices", "Shown"]);
  expect(notice).toMatch(/^Hidden content was left out: 2 shapes\. /);
});

test("reads the diagrams of visible frames in their place", async () => {
  const frame = (id: string, hidden = "") =>
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9"${hidden}/></p:nvGraphicFramePr><a:graphic><a:graphicData><dgm:relIds r:dm="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`;
  const shapes =
    slideShape(["Steps"], "title") + frame("d0") + slideShape(["Below the diagram"]) + frame("d1", ' hidden="1"');
  const { blocks, notice } = await parsePptx(makePptx([{ shapes, diagrams: ["Sign here", "secret"] }]));
  expect(blocks.map((block) => block.kind !== "table" && block.text)).toEqual([
    "Steps",
    "- Sign here",
    "Below the diagram",
  ]);
  expect(notice).toMatch(/^Hidden content was left out: 1 shape\. /);
});

test("a hidden shape without text or with the date has no notice", async () => {
  const shapes =
    slideShape(["Shown"]) + slideShape([""], "", { isHidden: true }) + slideShape(["12 May"], "dt", { isHidden: true });
  const { notice } = await parsePptx(makePptx([{ shapes }]));
  expect(notice).toBeUndefined();
});

test("keeps superscripts apart from the numbers before them", async () => {
  const run = (value: string, baseline = "0") => `<a:r><a:rPr baseline="${baseline}"/><a:t>${value}</a:t></a:r>`;
  const body = `${run("€49")}${run("1", "30000")}${run(" a month,")}<a:br/>${run("10")}${run("6", "30%")}${run(" m")}${run("2", "30000")}${run(", 1")}${run("1", "30000")}${run("/")}${run("2", "-25000")}`;
  const shapes = `${slideShape(["Prices"], "title")}<p:sp><p:txBody><a:p>${body}</a:p></p:txBody></p:sp>`;
  const { blocks } = await parsePptx(makePptx([{ shapes }]));
  expect(blocks.at(-1)).toMatchObject({ text: "€49^1 a month,\n10^6 m2, 1 1/2" });
});

import { expect, test } from "vitest";
import { makeZip } from "./fixtures.ts";
import { readHiddenCells } from "./hidden-cells.ts";

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

interface Book {
  table?: string;
  sheets?: string;
  part?: string;
  target?: string;
}

async function hiddenIn(sheet: string, { table = "", part = "xl/worksheets/sheet1.xml", ...book }: Book = {}) {
  const {
    target = "worksheets/sheet1.xml",
    sheets = '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
  } = book;
  const relation = (type: string, to: string) =>
    `<Relationships><Relationship Id="r1" Type="${RELATIONS}/${type}" Target="${to}"/></Relationships>`;
  const hidden = await readHiddenCells(
    makeZip([
      { name: "xl/workbook.xml", data: sheets },
      { name: "xl/_rels/workbook.xml.rels", data: relation("worksheet", target) },
      { name: part, data: `<worksheet>${sheet}</worksheet>` },
      { name: "xl/worksheets/_rels/sheet1.xml.rels", data: relation("table", "../tables/table1.xml") },
      { name: "xl/tables/table1.xml", data: `<table>${table}</table>` },
    ]),
  );
  const { rows = [], columns = [] } = hidden.get(0) ?? {};
  return { rows, columns: [...columns].flatMap((each, place) => (each === 1 ? [place] : [])) };
}

const HIDDEN_ROWS = '<row r="3" hidden="1"><c/></row><row hidden="true"><c/></row><row r="9" spans="1:2" hidden="0"/>';

test("a row without height and a column without width are hidden", async () => {
  const columns = '<cols><col min="2" max="2" width="0" customWidth="1"/><col min="3" max="3" width="0.5"/></cols>';
  const rows = '<row r="4" ht="0" customHeight="1"><c/></row><row r="5" ht="10"/><row r="6" ht="0.0"/>';
  expect(await hiddenIn(columns + rows)).toEqual({ rows: [4, 6], columns: [1] });
});

test("reads hidden rows and ranges of columns", async () => {
  const columns = '<cols><col min="2" max="3" hidden="1"/><col min="5" max="5" width="9"/></cols>';
  expect(await hiddenIn(columns + HIDDEN_ROWS)).toEqual({ rows: [3, 4], columns: [1, 2] });
});

test("counts rows without a number as the library does", async () => {
  const rows = '<row><c/></row><row/><row hidden="1"><c/></row><row><c/></row>';
  expect((await hiddenIn(rows)).rows).toEqual([2]);
});

const condition = (range: string) =>
  `<autoFilter ref="${range}"><filterColumn colId="1" hiddenButton="1"/><filterColumn colId="0"><filters/></filterColumn></autoFilter>`;

test.each<[string, string, Book]>([
  ["a filter of the sheet", condition("A1:B9"), {}],
  ["a filter with absolute references", condition("$A$1:$B$9"), {}],
  ["a filter of whole columns", condition("A:B"), {}],
  ["an advanced filter", '<sheetPr filterMode="1"/>', {}],
  ["a filter of a table", "", { table: condition("A2:B4") }],
])("rows that %s hides are not hidden", async (_, sheet, book) => {
  expect((await hiddenIn(sheet + HIDDEN_ROWS, book)).rows).toEqual([]);
});

test.each([
  ["a filter without a condition", '<autoFilter ref="A1:B9"><filterColumn colId="0" hiddenButton="1"/></autoFilter>'],
  ["a filter button", '<autoFilter ref="A1:B9"/>'],
  ["a filter of other rows", condition("A5:B9")],
  [
    "a filter of a saved view",
    `<customSheetViews><customSheetView>${condition("A1:B9")}</customSheetView></customSheetViews>`,
  ],
])("%s hides no row", async (_, sheet) => {
  expect((await hiddenIn(sheet + HIDDEN_ROWS)).rows).toEqual([3, 4]);
});

test.each<[string, Book]>([
  [
    "another prefix",
    { sheets: '<ns0:workbook><ns0:sheets><ns0:sheet name="A" ns1:id="r1"/></ns0:sheets></ns0:workbook>' },
  ],
  ["other capital letters", { part: "xl/worksheets/Sheet1.xml" }],
  ["an absolute path", { target: "/xl/worksheets/sheet1.xml" }],
  ["a path from the root without a slash", { target: "xl/worksheets/sheet1.xml" }],
])("finds the sheet of a workbook with %s", async (_, book) => {
  expect((await hiddenIn(HIDDEN_ROWS, book)).rows).toEqual([3, 4]);
});

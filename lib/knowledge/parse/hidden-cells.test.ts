import { expect, test } from "vitest";
import { makeZip } from "./fixtures.ts";
import { readHiddenCells } from "./hidden-cells.ts";

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

async function hiddenIn(sheet: string, table = "") {
  const relation = (type: string, target: string) =>
    `<Relationships><Relationship Id="r1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`;
  const book = makeZip([
    { name: "xl/workbook.xml", data: '<workbook><sheets><sheet name="A &amp; B" r:id="r1"/></sheets></workbook>' },
    { name: "xl/_rels/workbook.xml.rels", data: relation("worksheet", "worksheets/sheet1.xml") },
    { name: "xl/worksheets/sheet1.xml", data: `<worksheet>${sheet}</worksheet>` },
    { name: "xl/worksheets/_rels/sheet1.xml.rels", data: relation("table", "../tables/table1.xml") },
    { name: "xl/tables/table1.xml", data: `<table>${table}</table>` },
  ]);
  return (await readHiddenCells(book)).get("A & B");
}

const HIDDEN_ROWS = '<row r="3" hidden="1"><c/></row><row hidden="true"/><row r="9" spans="1:2" hidden="0"/>';

test("reads the hidden rows, also those without a number, and ranges of columns", async () => {
  const columns = '<cols><col min="2" max="3" hidden="1"/><col min="5" max="5" width="9"/></cols>';
  const { rows, columns: places } = (await hiddenIn(columns + HIDDEN_ROWS)) ?? {};
  expect(rows).toEqual(new Set([3, 4]));
  expect([...(places ?? [])].flatMap((each, place) => (each === 1 ? [place] : []))).toEqual([1, 2]);
});

test.each([
  ["a filter of the sheet", '<autoFilter ref="A1:B9"><filterColumn colId="0"/></autoFilter>', ""],
  ["an advanced filter", '<sheetPr filterMode="1"/>', ""],
  ["a filter of a table", "", '<autoFilter ref="A1:B9"><filterColumn colId="0"/></autoFilter>'],
])("rows that %s hides are not hidden", async (_, sheet, table) => {
  expect((await hiddenIn(sheet + HIDDEN_ROWS, table))?.rows.size).toBe(0);
});

test("filter buttons without a filter hide nothing", async () => {
  expect((await hiddenIn(`<autoFilter ref="A1:B9"/>${HIDDEN_ROWS}`))?.rows.size).toBe(2);
});

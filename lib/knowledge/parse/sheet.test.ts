import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { makeZip } from "./fixtures.ts";
import { documentFromWorkbook, readWorkbook } from "./sheet.ts";

function makeXlsx(
  sheets: Record<string, unknown[][]>,
  change: (book: ReturnType<typeof utils.book_new>) => void = () => {},
) {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  change(book);
  return new Uint8Array(write(book, { type: "buffer", bookType: "xlsx" }));
}

test("reads each visible sheet as a heading, title lines and a table", () => {
  const book = makeXlsx(
    {
      Prices: [["Prices 2024"], [], ["Plan", "Monthly", "Yearly"], ["Basic", 10.5, 100], [], ["Pro", 20, 200]],
      Contacts: [
        ["Support", "4180"],
        ["Sales", "4181"],
      ],
      Hidden: [["secret", "x", "y"]],
    },
    (each) => {
      each.Workbook = { Sheets: [{}, {}, { Hidden: 1 }] };
    },
  );
  expect(documentFromWorkbook(readWorkbook(book)).blocks).toEqual([
    { kind: "heading", level: 1, text: "Prices" },
    { kind: "paragraph", text: "Prices 2024" },
    {
      kind: "table",
      header: ["Plan", "Monthly", "Yearly"],
      rows: [
        ["Basic", "10.5", "100"],
        ["Pro", "20", "200"],
      ],
    },
    { kind: "heading", level: 1, text: "Contacts" },
    {
      kind: "table",
      header: [],
      rows: [
        ["Support", "4180"],
        ["Sales", "4181"],
      ],
    },
  ]);
});

test("merged header cells name every column below them", () => {
  const book = makeXlsx(
    {
      A: [
        ["", "2024", "", "Note"],
        ["Zone", "Sales", "Profit", ""],
        ["North", 1, 2, "n"],
      ],
    },
    (each) => {
      const sheet = each.Sheets.A;
      if (sheet) sheet["!merges"] = [{ s: { r: 0, c: 1 }, e: { r: 0, c: 2 } }];
    },
  );
  const [, table] = documentFromWorkbook(readWorkbook(book)).blocks;
  expect(table).toEqual({
    kind: "table",
    header: ["Zone", "2024 Sales", "2024 Profit", "Note"],
    rows: [["North", "1", "2", "n"]],
  });
});

/** The tables of a sheet with these rows, as headers and rows, and its paragraphs as texts. */
function tablesOf(rows: unknown[][], merges: [row: number, from: number, to: number][] = []) {
  const book = makeXlsx({ Sheet1: rows }, (each) => {
    const sheet = each.Sheets.Sheet1;
    if (sheet) sheet["!merges"] = merges.map(([r, from, to]) => ({ s: { r, c: from }, e: { r, c: to } }));
  });
  return documentFromWorkbook(readWorkbook(book)).blocks.map((block) =>
    block.kind === "table" ? [block.header, ...block.rows] : block.text,
  );
}

const NORTH = ["North", 1, 2];
const north = ["North", "1", "2"];

test.each<[string, unknown[][], unknown[]]>([
  [
    "the same table for two years, with a blank row",
    [["2023"], ["Zone", "Q1", "Q2"], NORTH, [], ["2024"], ["Zone", "Q1", "Q2"], NORTH],
    ["2023", [["Zone", "Q1", "Q2"], north], "2024", [["Zone", "Q1", "Q2"], north]],
  ],
  [
    "the same table for two years, without a blank row",
    [["Sales 2023"], ["Zone", "Q1", "Q2"], NORTH, ["Sales 2024"], ["Zone", "Q1", "Q2"], NORTH],
    ["Sales 2023", [["Zone", "Q1", "Q2"], north], "Sales 2024", [["Zone", "Q1", "Q2"], north]],
  ],
  [
    "a header that names other years",
    [["Zone", 2023, 2024], NORTH, ["Zone", 2025, 2026], NORTH],
    [
      [["Zone", "2023", "2024"], north],
      [["Zone", "2025", "2026"], north],
    ],
  ],
  [
    "two tables with different columns",
    [
      ["Plan", "Price", "Term"],
      ["Basic", 10, "1 year"],
      [],
      ["Name", "Phone", "Room", "Floor"],
      ["Ada", "x", "A1", "y"],
    ],
    [
      [
        ["Plan", "Price", "Term"],
        ["Basic", "10", "1 year"],
      ],
      [
        ["Name", "Phone", "Room", "Floor"],
        ["Ada", "x", "A1", "y"],
      ],
    ],
  ],
  [
    "a header that is repeated, as on printed pages",
    [["Zone", "Q1", "Q2"], NORTH, ["Zone", "Q1", "Q2"], NORTH],
    [[["Zone", "Q1", "Q2"], north, north]],
  ],
  [
    "sections of one table",
    [["Fruit", "Colour", "Taste"], ["Summer"], ["Cherry", "red", "sweet"], [], ["Winter"], ["Apple", "green", "sour"]],
    [[["Fruit", "Colour", "Taste"], ["Summer"], ["Cherry", "red", "sweet"], ["Winter"], ["Apple", "green", "sour"]]],
  ],
  [
    "a note below",
    [["Zone", "Q1", "Q2"], NORTH, [], ["Source: audit"]],
    [[["Zone", "Q1", "Q2"], north], "Source: audit"],
  ],
])("reads %s", (_, rows, tables) => {
  expect(tablesOf(rows)).toEqual(tables);
});

test("a merged cell reaches all its columns, also when it is alone in its row or other merged cells are empty", () => {
  const rows = [
    ["", "2024", "", ""],
    ["Zone", "Sales", "Profit", "Note"],
    ["North", 1, 2, "n"],
  ];
  const merges: [number, number, number][] = [
    [2, 4, 5],
    [0, 1, 2],
  ];
  expect(tablesOf(rows, merges)).toEqual([
    [
      ["Zone", "2024 Sales", "2024 Profit", "Note"],
      ["North", "1", "2", "n"],
    ],
  ]);
});

test("names above merged columns reach them when the names below repeat", () => {
  const years = ["Region", "2024", "", "2025", ""];
  const quarters = ["", "Q1", "Q2", "Q1", "Q2"];
  const book = makeXlsx({ A: [years, quarters, ["East", 1, 2, 3, 4]] }, ({ Sheets }) => {
    if (Sheets.A) Sheets.A["!merges"] = ["A1:A2", "B1:C1", "D1:E1"].map(utils.decode_range);
  });
  const header = ["Region", "2024 Q1", "2024 Q2", "2025 Q1", "2025 Q2"];
  const table = { kind: "table", header, rows: [["East", "1", "2", "3", "4"]] };
  expect(documentFromWorkbook(readWorkbook(book)).blocks).toContainEqual(table);
  const centred = makeXlsx({
    A: [
      ["", ...years.slice(1)],
      ["Region", ...quarters.slice(1)],
      ["East", 1, 2, 3, 4],
    ],
  });
  expect(documentFromWorkbook(readWorkbook(centred)).blocks).toContainEqual(table);
});

test.each([[[]], [[[]]]])("a second table keeps its own years above its names, below %j", (gap) => {
  const tables = tablesOf(
    [["", "2023", ""], ["Zone", "Q1", "Q2"], NORTH, ...gap, ["", "2024", ""], ["Zone", "Q1", "Q2"], NORTH],
    [
      [0, 1, 2],
      [3 + gap.length, 1, 2],
    ],
  );
  expect(tables).toEqual([
    [["Zone", "2023 Q1", "2023 Q2"], north],
    [["Zone", "2024 Q1", "2024 Q2"], north],
  ]);
});

test("labels at the right edge of their columns reach the names of their group", () => {
  const rows = [
    ["In millions", "", "H1 2023", "", "", "H1 2022"],
    ["", "Goodwill", "Rights", "", "Goodwill", "Rights"],
    ["North", 1, 2, "", 3, 4],
  ];
  expect(tablesOf(rows)).toEqual([
    [
      ["In millions", "H1 2023 Goodwill", "H1 2023 Rights", "", "H1 2022 Goodwill", "H1 2022 Rights"],
      ["North", "1", "2", "", "3", "4"],
    ],
  ]);
});

test("a second table of texts has its own header, and a header in capitals is repeated too", () => {
  const book = makeXlsx({
    A: [
      ["Name", "Role", "Office"],
      ["Ada", "Engineer", "Oslo"],
      ["NAME", "ROLE", "OFFICE"],
      ["Bo", "Designer", "Bari"],
      [],
      ["Device", "Owner", "Serial"],
      ["Laptop", "Ada", "XK-1"],
      ["Phone", "Bo", "XK-2"],
    ],
  });
  const tables = documentFromWorkbook(readWorkbook(book)).blocks.filter(({ kind }) => kind === "table");
  expect(tables).toMatchObject([
    { header: ["Name", "Role", "Office"], rows: [{ 0: "Ada" }, { 0: "Bo" }] },
    { header: ["Device", "Owner", "Serial"], rows: [{ 0: "Laptop" }, { 0: "Phone" }] },
  ]);
});

test("rows keep their spreadsheet numbers", () => {
  const book = makeXlsx({ A: [[], ["question", "answer"], [], ["q", "a"]] });
  expect(readWorkbook(book).sheets[0]?.rows.map(({ row }) => row)).toEqual([2, 4]);
});

test("reads only the existing cells of a sheet that declares the whole grid", () => {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const part = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const book = makeZip([
    {
      name: "[Content_Types].xml",
      data:
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${part}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${part}.worksheet+xml"/></Types>`,
    },
    {
      name: "xl/workbook.xml",
      data: `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: "xl/worksheets/sheet1.xml",
      data:
        `<worksheet xmlns="${main}"><dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576" t="str"><v>far</v></c></row></sheetData>` +
        '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>',
    },
  ]);
  expect(readWorkbook(book).sheets[0]?.rows.map(({ row }) => row)).toEqual([1048576]);
});

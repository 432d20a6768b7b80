import { utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { documentFromWorkbook } from "./sheet.ts";
import { makeXlsx } from "./sheet-fixtures.ts";
import { readWorkbook } from "./workbook.ts";

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

test("a merged cell reaches all its columns, even when it is alone in its row or other merged cells are empty", () => {
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

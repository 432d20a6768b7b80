import type { WorkSheet } from "@e965/xlsx";
import { expect, test } from "vitest";
import { makeXlsx } from "./sheet-fixtures.ts";
import { parseXlsx } from "./xlsx.ts";

const PRICES = [
  ["Plan", "Our cost", "Price", "Term"],
  ["Basic", 4, 10, "1 year"],
  ["Draft", 5, 11, "2 years"],
  ["Pro", 6, 20, "1 year"],
];

async function readPrices(change: (sheet: WorkSheet) => void) {
  const { blocks, notice } = await parseXlsx(
    makeXlsx({ Prices: PRICES, Notes: [["Ask us."]] }, ({ Sheets: { Prices } }) => Prices && change(Prices)),
  );
  return { table: blocks.find(({ kind }) => kind === "table"), notice };
}

test("leaves out hidden rows, columns and sheets, and counts them", async () => {
  const book = makeXlsx({ "Prices & more": PRICES, Secret: [["margin", "50"]] }, (each) => {
    each.Workbook = { Sheets: [{}, { Hidden: 1 }] };
    const sheet = each.Sheets["Prices & more"];
    if (!sheet) return;
    sheet["!cols"] = [{}, { hidden: true }];
    sheet["!rows"] = [{}, {}, { hidden: true }];
  });
  const { blocks, notice } = await parseXlsx(book);
  expect(blocks).toContainEqual({
    kind: "table",
    header: ["Plan", "Price", "Term"],
    rows: [
      ["Basic", "10", "1 year"],
      ["Pro", "20", "1 year"],
    ],
  });
  expect(JSON.stringify(blocks)).not.toMatch(/cost|Draft|margin/);
  expect(notice).toMatch(/^Hidden content was left out: 1 sheet, 1 row, 1 column\. /);
});

test.each<[string, (sheet: WorkSheet) => void]>([
  [
    "collapsed in a group",
    (sheet) => {
      sheet["!rows"] = [{}, {}, { hidden: true, level: 1 }];
      sheet["!cols"] = [{}, { hidden: true, level: 1 }];
    },
  ],
  [
    "hidden without text",
    (sheet) => {
      sheet["!rows"] = [{}, {}, {}, {}, {}, { hidden: true }];
      sheet["!cols"] = [{}, {}, {}, {}, {}, { hidden: true }];
    },
  ],
])("keeps everything when rows and columns are %s", async (_, change) => {
  const { table, notice } = await readPrices(change);
  expect(table).toMatchObject({ header: ["Plan", "Our cost", "Price", "Term"], rows: { length: 3 } });
  expect(notice).toBeUndefined();
});

test("a hidden row does not end a table", async () => {
  const rows = ["Plan|Contact|Region", "Basic|Anna|North", "Draft|Bob|South", "Pro|Carl|East", "Max|Dora|West"];
  const cells = rows.map((row) => row.split("|"));
  const book = makeXlsx({ A: cells }, ({ Sheets: { A } }) => {
    if (A) A["!rows"] = [{}, {}, { hidden: true }];
  });
  const [header = [], basic, , ...others] = cells;
  expect((await parseXlsx(book)).blocks).toContainEqual({ kind: "table", header, rows: [basic, ...others] });
});

test("a workbook whose rows are all hidden is refused with advice", async () => {
  const book = makeXlsx({ A: [["secret", "x"]] }, ({ Sheets: { A } }) => {
    if (A) A["!rows"] = [{ hidden: true }];
  });
  await expect(parseXlsx(book)).rejects.toThrow("If its sheets, rows or columns are hidden, show them");
});

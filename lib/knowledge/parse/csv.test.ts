import { expect, test } from "vitest";
import { readCsv } from "./csv.ts";
import { documentFromCsv } from "./sheet.ts";

test.each([
  ["comma", 'a,b\n"x, ""y""",2', ['x, "y"', "2"]],
  ["semicolon", 'a;b\n"x;\ny";2', ["x;\ny", "2"]],
  ["semicolon with decimal commas", "Apple;1,20\nPear;2,50", ["Pear", "2,50"]],
  ["comma with numbers only", "1,2,3\n4,5,6", ["4", "5", "6"]],
  ["tab", "a\tb\nx, y\t2", ["x, y", "2"]],
  ["byte order mark and CRLF", '\uFEFF"a","b"\r\n"x","2"\r\n', ["x", "2"]],
  ["Excel's hint", "sep=;\na;b\nx;2", ["x", "2"]],
  ["semicolon below a title", "Price list 2024\nName;Price;Note\nBasic;5,90;ok", ["Basic", "5,90", "ok"]],
  ["semicolon with commas in the header", "Name;Description, short, long;Price\nA;x;5,90", ["A", "x", "5,90"]],
  ["tab with commas in the header", "Name\tSize, weight, colour\nA\t5, 6, red", ["A", "5, 6, red"]],
  ["comma with semicolons in quotes", 'a,b\n"x; y; z",2\n"x; y; z","2; 3"', ["x; y; z", "2; 3"]],
  ["semicolon with quoted lines", 'a;b\n"1, 2\n3, 4\n5, 6";x\n"7, 8";"9\n10"', ["7, 8", "9\n10"]],
  [
    "comma with a semicolon in each quoted value",
    `Store,Hours,City\n${["Rome", "Bern", "Milan, Italy", "Paris"].map((city) => `A,"Mo 9-17; Sa 9-12",${city}`).join("\n")}`,
    ["A", "Mo 9-17; Sa 9-12", "Paris"],
  ],
  ["comma with a semicolon in each value and a short row", "a,b,c\n1,x; y,2\n1,x; y\n3,x; y,4", ["3", "x; y", "4"]],
  ["comma with a comma in one value", "a,b,c\nd,x; y,e, f\ng,x; y,h", ["g", "x; y", "h"]],
  ["comma with a semicolon in each row", "Name,Lat;Lon\nA,1;2", ["A", "1;2"]],
  ["semicolon with a comma in the header", "Price,EUR;Name\n5,90;A", ["5,90", "A"]],
  ["semicolon with inches in the header", 'Width (");Price\n5;5,90', ["5", "5,90"]],
  [
    "comma of the header with a semicolon in each irregular row",
    "Store,Hours,City\nA,9-17; 9-12,Rome\nB,9-17; 9-12,Milan,Italy\nC,9-17; 9-12\nD,9-17; 9-12,Bern,x,y",
    ["D", "9-17; 9-12", "Bern", "x", "y"],
  ],
  ["semicolon below a title with a comma", "Prices, in euro\nName;Price\nBasic;5,90", ["Basic", "5,90"]],
  ["comma below a title with a semicolon", "Prices; in euro\nName,Price\nBasic,5.90", ["Basic", "5.90"]],
  ["comma below a title with a bare semicolon", "Preisliste;Stand 2026\nTarif,Preis\nBasic,5", ["Basic", "5"]],
  [
    "semicolon below a title with a bare comma",
    "Tarife Müller,Meier und Co.\nTarif;Preis;Laufzeit\nBasic;5,90;12\nPro;9,90;24",
    ["Pro", "9,90", "24"],
  ],
  ["comma with a semicolon in one cell", "id, name, price (net;gross)\n1, Ann, 5", ["1", " Ann", " 5"]],
  ["one column", "Question\nHow much", ["How much"]],
  ["a stray quote", 'a,b\n5" screen,2', ['5" screen', "2"]],
])("CSV by %s", (_, text, cells) => {
  expect(readCsv(text).rows.at(-1)?.cells).toEqual(cells);
});

test("reports a row with an unclosed quote by its number and reads the others", () => {
  const { rows } = readCsv('q,a\none,1\n\n"two,2\nthree,3\n"four","4"\nfive,"5" 6\nsix,"6\n6"\n');
  expect(rows.map(({ row, cells, error }) => [row, error === undefined ? cells[0] : "bad"])).toEqual([
    [1, "q"],
    [2, "one"],
    [4, "bad"],
    [5, "three"],
    [6, "four"],
    [7, "bad"],
    [8, "six"],
  ]);
  expect(rows.find(({ row }) => row === 4)).toMatchObject({
    cells: ['"two,2'],
    error: expect.stringContaining("quote"),
  });
});

test("long files keep their row numbers, and a value may span many lines", () => {
  const long = `"${"line\n".repeat(3_000)}"`;
  const text = `q,a\n${"x,1\n\n".repeat(1_000)}y,${long}\nz,"2\n`;
  const { rows } = readCsv(text);
  expect(rows).toHaveLength(1_003);
  expect(rows.at(-2)).toMatchObject({ row: 2_002, cells: ["y", long.slice(1, -1)] });
  expect(rows.at(-1)).toMatchObject({ row: 2_003, error: expect.stringContaining("quote") });
});

test("stops after the wanted rows, not counting blank ones", () => {
  const blank = ",\n".repeat(10_000);
  expect(readCsv(`q,a\n${blank}x,1\n${blank}`, 3).rows).toHaveLength(2);
  expect(readCsv(`q,a\n${"x,1\n".repeat(100_000)}`, 3).rows.length).toBeLessThan(1_000);
});

test("reads a CSV document as one table, without the headers that it repeats", () => {
  expect(documentFromCsv(readCsv("Term;Meaning\nSLA;Level\nTerm;Meaning\nQoS;Quality")).blocks).toEqual([
    {
      kind: "table",
      header: ["Term", "Meaning"],
      rows: [
        ["SLA", "Level"],
        ["QoS", "Quality"],
      ],
    },
  ]);
  expect(documentFromCsv(readCsv("Term;Meaning\nSLA;Service level")).blocks).toEqual([
    { kind: "table", header: ["Term", "Meaning"], rows: [["SLA", "Service level"]] },
  ]);
});

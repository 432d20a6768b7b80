import { expect, test } from "vitest";
import { makeZip } from "./fixtures.ts";
import { documentFromWorkbook } from "./sheet.ts";
import { makeXlsx } from "./sheet-fixtures.ts";
import { readWorkbook } from "./workbook.ts";

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

test("rows keep their spreadsheet numbers", () => {
  const book = makeXlsx({ A: [[], ["question", "answer"], [], ["q", "a"]] });
  expect(readWorkbook(book).sheets[0]?.rows.map(({ row }) => row)).toEqual([2, 4]);
});

test("dates in the default format are unambiguous, and others stay as displayed", () => {
  const book = makeXlsx(
    {
      A: [
        ["due", "sent"],
        [45_000, 45_000],
        ["x", "y"],
      ],
    },
    ({ Sheets: { A } }) => {
      const [due, sent] = [A?.A2, A?.B2];
      if (due) due.z = "m/d/yy";
      if (sent) sent.z = "d-mmm-yy";
    },
  );
  expect(readWorkbook(book).sheets[0]?.rows[1]?.cells).toEqual(["2023-03-15", "15-Mar-23"]);
});

test("long numbers keep their digits unless a format shortens them", () => {
  const book = makeXlsx(
    {
      A: [
        ["code", "phone", "share", "shortened", "huge"],
        [4006381333931, 390551234567, 123456789012.5, 4006381333931, 1e25],
      ],
    },
    ({ Sheets: { A } }) => {
      if (A?.D2) A.D2.z = "0.00E+00";
    },
  );
  const cells = ["4006381333931", "390551234567", "123456789012.5", "4.01E+12", "1E+25"];
  expect(readWorkbook(book).sheets[0]?.rows[1]?.cells).toEqual(cells);
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

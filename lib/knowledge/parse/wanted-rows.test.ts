import { expect, test } from "vitest";
import { columnPlaces, wantedRows } from "./wanted-rows.ts";

function sheet(...lines: string[]) {
  return { name: "", rows: lines.map((line, index) => ({ row: index + 1, cells: line.split(",") })) };
}

const FAQ = sheet("Question ,answer", "q1,a1", "q2,a2");
const PRICES = sheet("plan,price", "basic,10", "large,20");
const columns = ["question", "answer"];

test("of a sheet without the columns, only the first row is read, and its rows do not count", () => {
  expect(wantedRows([FAQ, PRICES], { columns, rowsMax: 2 })).toEqual([FAQ, sheet("plan,price")]);
  expect(wantedRows([sheet()], { columns, rowsMax: 0 })).toEqual([sheet()]);
});

test("the rows of all sheets together are limited, without the first row of each", () => {
  expect(wantedRows([FAQ, FAQ], { columns, rowsMax: 4 })).toEqual([FAQ, FAQ]);
  expect(() => wantedRows([FAQ, FAQ], { columns, rowsMax: 3 })).toThrow(
    "The file has more than 3 rows. Split it into smaller files.",
  );
  expect(wantedRows([FAQ, FAQ], { columns, rowsMax: 3, sheetsMax: 1 })).toEqual([FAQ]);
});

test("of two columns with one name, the first counts", () => {
  expect(columnPlaces(["a", " Answer", "answer"]).get("answer")).toBe(1);
});

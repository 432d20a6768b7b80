import { expect, test } from "vitest";
import { csvLine, csvText } from "./csv.ts";

test("quotes cells that would break the line", () => {
  expect(csvLine(["plain", 'say "hi", please', "two\nlines", 12, true, null])).toBe(
    'plain,"say ""hi"", please","two\nlines",12,true,\r\n',
  );
});

test.each(["=1+1", "+49 30", "-2", "@SUM(A1)", "\tx"])("%j is no longer a formula", (text) => {
  expect(csvLine([text])).toBe(`'${text}\r\n`);
});

test("escapes a formula after a carriage return, and leaves numbers unchanged", () => {
  expect(csvLine(["\r=1+1", -2])).toBe("\"'\r'=1+1\",-2\r\n");
});

test.each(["x;=1+1;", 'say "x;=1+1"', "two\n=1+1", "a\t@SUM(A1)", 'x;"=1+1"', ";=1;-2"])(
  "%j has no formula between semicolons",
  (text) => {
    const cells = csvLine(["first", text]).split(/[;\t\r\n]/);
    expect(cells.filter((cell) => /^["\s]*[=+\-@]/.test(cell))).toEqual([]);
  },
);

test.each([
  "=1+1",
  "+49 30",
  "'+49 30",
  "''-2",
  "-2",
  "@SUM(A1)",
  "\tx",
  "plain",
  "'tis",
  "it's -2",
  "",
  "x;=1",
  "x;'=1",
  "a;+49",
  "a;'+49",
  "; -2",
])("%j is the same after it is written and read", (text) => {
  expect(csvText(csvLine([text]).trimEnd())).toBe(text);
});

test("a formula after a line break is read without its apostrophe", () => {
  expect(csvText("'\n=1+1")).toBe("\n=1+1");
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ANY_FORMAT, extensionOf, FORMATS, looksLikeHtml, mayBeEmail, SHEET_EXTENSIONS, SUPPORTED } from "./formats.ts";
import { refusalByName } from "./refused-formats.ts";

test.each([
  ["a.PDF", ".pdf"],
  ["folder.v2/a.tar.gz", ".gz"],
  ["folder.v2/readme", ""],
  [".hidden", ""],
  ["a/.hidden", ""],
  ["a.", "."],
])("the extension of %s is %j", (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});

test("a file may be an email unless its name says that it is something else", () => {
  const names = ["mail.eml", "mail.MSG", "mail", "mail.2026", "notes.md", "scan.pdf"];
  expect(names.map(mayBeEmail)).toEqual([true, true, true, true, false, false]);
});

test("refuses an unsupported format by its name alone", () => {
  expect(refusalByName("slides.ppt", "PK\u0003\u0004")).toBe(
    "Old PowerPoint files (.ppt) are not supported. Save the file as .pptx and add the new file.",
  );
  expect(refusalByName("photo.gif", "GIF89a")).toContain("Files of type .gif are not supported. Ragstone reads PDF,");
  expect(refusalByName("photo.pdf", "\u0089PNG\r\n")).toContain("is named .pdf but its content is a PNG image");
});

test("accepts a file that may be readable", () => {
  expect(refusalByName("page.md", "<!doctype html>")).toBeNull();
  expect(refusalByName("a.pdf", "MZ")).toBeNull();
  expect(refusalByName("readme", "text")).toBeNull();
  expect(refusalByName("manual.v2", "%PDF-1.7")).toBeNull();
  expect(refusalByName("manual.v2", "PK\u0003\u0004")).toBeNull();
  expect(refusalByName("page.aspx", "<!doctype html>")).toBeNull();
});

test("recognises HTML by its start, after any number of comments", () => {
  const comments = "<!---->".repeat(280);
  expect(looksLikeHtml(`${comments}<html>`)).toBe(true);
  expect(looksLikeHtml("<!-- a --> <!-- b --> <!DOCTYPE html>")).toBe(true);
  expect(looksLikeHtml(`${comments}<!--`)).toBe(false);
});

test("lists every format with one name, in messages and in the README", () => {
  for (const { label } of FORMATS) for (const text of [ANY_FORMAT, SUPPORTED]) expect(text).toContain(label);
  expect(SUPPORTED).toMatch(/^Ragstone reads PDF, .+ and plain text\.$/);
  const readme = readFileSync("README.md", "utf8").replace(/\s+/g, " ");
  expect(readme).toContain(FORMATS.map(({ label }) => label).join(", "));
  expect(SHEET_EXTENSIONS).toEqual([".xlsx", ".csv", ".tsv"]);
});

test("no extension belongs to two formats", () => {
  const extensions = FORMATS.flatMap((format) => format.extensions);
  expect(new Set(extensions).size).toBe(extensions.length);
  for (const extension of extensions) expect(refusalByName(`a${extension}`, "")).toBeNull();
});

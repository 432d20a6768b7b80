import { expect, test } from "vitest";
import { extensionOf, looksLikeHtml, refusalByName } from "./file-names.ts";

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

test("refuses an unsupported format by its name alone", () => {
  expect(refusalByName("slides.pptx", "PK\u0003\u0004")).toBe(
    "PowerPoint files (.pptx) are not supported yet; save it as PDF and add that.",
  );
  expect(refusalByName("photo.jpg", "\u00FF\u00D8\u00FF")).toContain("Files of type .jpg are not supported;");
});

test("accepts a file that may be readable", () => {
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

import { expect, test } from "vitest";
import { decodeHtml, decodeText } from "./decode.ts";
import { parseBytes } from "./parse.ts";

const text = "Città, naïve, 10 €: “quoted”";

test("reads UTF-8 with and without a byte order mark", () => {
  expect(decodeText(Buffer.from(text))).toBe(text);
  expect(decodeText(Buffer.from(`\uFEFF${text}`))).toBe(text);
});

test("reads UTF-16 in both byte orders, with and without a mark", () => {
  const little = Buffer.from(text, "utf16le");
  const big = Buffer.from(little).swap16();
  expect(decodeText(little)).toBe(text);
  expect(decodeText(big)).toBe(text);
  expect(decodeText(Buffer.concat([Buffer.from([0xff, 0xfe]), little]))).toBe(text);
  expect(decodeText(Buffer.concat([Buffer.from([0xfe, 0xff]), big]))).toBe(text);
});

test("reads bytes that are not valid UTF-8 as windows-1252", () => {
  expect(decodeText(Buffer.from([0x93, 0x43, 0x69, 0x74, 0x74, 0xe0, 0x94, 0x20, 0x80]))).toBe("“Città” €");
});

test("a damaged character in UTF-8 leaves the others as they are", () => {
  const damaged = Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x20]), Buffer.from("è vero")]);
  expect(decodeText(damaged)).toBe(`${text}\uFFFD è vero`);
  expect(decodeText(Buffer.from("Città, è vero", "latin1"))).toBe("Città, è vero");
});

const CYRILLIC = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);

test.each([
  ['<meta charset="windows-1251">', CYRILLIC, "Привет"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', CYRILLIC, "Привет"],
  ["<META CHARSET = 'ISO-8859-15'>", Buffer.from([0x35, 0x20, 0xa4]), "5 €"],
  ["<meta charset=windows-1251>", Buffer.from("Città €"), "Città €"],
  ["<meta charset=utf-8>", Buffer.from("Città", "latin1"), "Città"],
  ["<meta charset=unheard-of>", Buffer.from("Città", "latin1"), "Città"],
  [`${" ".repeat(1_024)}<meta charset=windows-1251>`, Buffer.from("Città", "latin1"), "Città"],
])("reads HTML with %s", (declaration, bytes, expected) => {
  const html = Buffer.concat([Buffer.from(`<!doctype html>${declaration}<p>`), bytes]);
  expect(decodeHtml(html)).toBe(`<!doctype html>${declaration}<p>${expected}`);
});

test("the declared encoding of an HTML file counts", async () => {
  const html = Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), CYRILLIC]);
  expect((await parseBytes(html, "a.html")).blocks).toEqual([{ kind: "paragraph", text: "Привет" }]);
});

test("refuses bytes that are not text", () => {
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 37) % 256));
  expect(() => decodeText(noise)).toThrow("does not contain readable text");
});

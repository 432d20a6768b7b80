import { expect, test } from "vitest";
import { decodeText } from "./decode.ts";

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

test("refuses bytes that are not text", () => {
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 37) % 256));
  expect(() => decodeText(noise)).toThrow("does not contain readable text");
});

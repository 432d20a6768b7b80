import { expect, test } from "vitest";
import { growthOf } from "../testing/cpu-time.ts";
import { type FormParts, fileOfForm } from "./multipart.ts";

/** Reads a form whose file has this Content-Disposition, and which arrives in pieces. */
async function formWith(disposition: string, texts: Record<string, string> = { labels: "{}" }, pieceMax = Infinity) {
  const form: FormParts = { fileName: null, texts: new Map() };
  const lines = [
    ...Object.entries(texts).flatMap(([name, text]) => [
      "--b",
      `Content-Disposition: form-data; name=${name}`,
      "",
      text,
    ]),
    ...["--b", `Content-Disposition: form-data ; ${disposition}`, "Content-Type: text/plain", "", "Text", "--b--", ""],
  ];
  async function* body() {
    const bytes = Buffer.from(lines.join("\r\n"));
    for (let at = 0; at < bytes.length; at += pieceMax) yield bytes.subarray(at, at + pieceMax);
  }
  const parts: Uint8Array[] = [];
  for await (const part of fileOfForm(body(), "b", form)) parts.push(part);
  return { ...form, text: Buffer.concat(parts).toString() };
}

function manyTexts(count: number, length: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`text${index}`, "x".repeat(length)]));
}

test.each([
  ['name="file"; filename="a.txt"', "a.txt"],
  ['name="file"; filename="a;b \\"c\\" %22d%22.txt"', 'a;b "c" "d".txt'],
  ["name=file; filename=a.txt; filename*=utf-8''a.txt", "a.txt"],
  ["name=file;filename=a b.txt ", "a b.txt"],
  ["name=file; filename=\"=?utf-8?B?w7wucGRm?=\"; filename*=utf-8''%C3%BC%20%25.pdf", "ü %.pdf"],
  ["NAME=file; FileName*=UTF-8'de'%C3%BC.pdf; FileName=u.pdf", "ü.pdf"],
  ["name=file; filename=u.pdf; filename*=utf-8''%FF.pdf", "u.pdf"],
  ["name=file; filename=u.pdf; filename*=iso-8859-1''%FC.pdf", "u.pdf"],
  ['name="file" ; flag; x="; filename=b.txt"; filename = a.txt', "a.txt"],
  ["name=file; filename*=utf-8''a%0Ab.txt", "a b.txt"],
  ["name=file", ""],
])("the file of a form with %s is named %j", async (disposition, fileName) => {
  expect(await formWith(disposition)).toEqual({ fileName, texts: new Map([["labels", "{}"]]), text: "Text" });
});

test("a part without a name is refused", async () => {
  await expect(formWith("filename=a.txt")).rejects.toThrow("has a part without a name");
});

test("texts beside the file are limited in their number and size", async () => {
  const kB = 1024;
  expect((await formWith("name=file", manyTexts(100, 1))).texts.size).toBe(100);
  await expect(formWith("name=file", manyTexts(101, 1))).rejects.toThrow("has more than 100 parts besides its file");
  expect((await formWith("name=file", manyTexts(4, 64 * kB))).texts.size).toBe(4);
  await expect(formWith("name=file", manyTexts(1, 64 * kB + 1))).rejects.toThrow("a longer part than 64 kB: text0");
  await expect(formWith("name=file", manyTexts(5, 52 * kB))).rejects.toThrow("has more than 256 kB besides its file");
});

test("the time for a text that arrives byte by byte grows with its length", async () => {
  expect(await growthOf((length) => formWith("name=file", manyTexts(1, length), 1), 12_000)).toBeLessThan(8);
});

import { expect, test } from "vitest";
import { type FormParts, fileOfForm } from "./multipart.ts";

/** Reads a form whose file has this Content-Disposition. */
async function formWith(disposition: string) {
  const form: FormParts = { fileName: null, texts: new Map() };
  const lines = [
    ...["--b", "Content-Disposition: form-data; name=labels", "", "{}"],
    ...["--b", `Content-Disposition: form-data ; ${disposition}`, "Content-Type: text/plain", "", "Text", "--b--", ""],
  ];
  async function* body() {
    yield Buffer.from(lines.join("\r\n"));
  }
  const parts: Uint8Array[] = [];
  for await (const part of fileOfForm(body(), "b", form)) parts.push(part);
  return { ...form, text: Buffer.concat(parts).toString() };
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

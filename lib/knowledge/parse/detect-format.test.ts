import { describe, expect, test } from "vitest";
import { detectFormat } from "./detect-format.ts";
import { makeDocx, makePdf, makeZip, wordParagraph } from "./fixtures.ts";
import { makeMsg } from "./msg-fixtures.ts";
import { makeEpub, makeOdt, makePptx } from "./office-fixtures.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const gif = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64");
const html = Buffer.from("<!doctype html><html><body><p>Hi</p></body></html>");
const pdf = makePdf([[{ x: 10, y: 10, text: "Hi" }]]);
const docx = makeDocx(wordParagraph("Hi"));

describe("supported files", () => {
  test.each([
    ["a.pdf", pdf, "pdf"],
    ["A.DOCX", docx, "docx"],
    ["a.pptx", makePptx([]), "pptx"],
    ["a.odt", makeOdt(""), "odt"],
    ["a.rtf", Buffer.from("{\\rtf1 Hi}"), "rtf"],
    ["a.epub", makeEpub([]), "epub"],
    ["book", makeEpub([]), "epub"],
    ["a.eml", Buffer.from("Subject: Hi\nFrom: a@b.c\n\nHi"), "eml"],
    ["a.eml", Buffer.from("Hi"), "eml"],
    ["mail", Buffer.from("Received: from a\r\n\tby b\r\nFrom: a@b.c\r\n\r\nHi"), "eml"],
    ["a.txt", Buffer.from("From: a@b.c\nTo: d@e.f\n\nHi"), "text"],
    ["minutes", Buffer.from("Subject: Hi\n\nTo: all"), "text"],
    ["a.png", png, "png"],
    ["photo", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "jpeg"],
    ["a.msg", makeMsg({ subject: "Hi" }), "msg"],
    ["a.html", html, "html"],
    ["a.htm", Buffer.from("<p>part of a page</p>"), "html"],
    ["a.md", Buffer.from("# Hi"), "markdown"],
    ["a.csv", Buffer.from("a,b"), "csv"],
    ["a.txt", Buffer.from("Hi"), "text"],
    ["README", Buffer.from("Hi"), "text"],
    ["no-extension", pdf, "pdf"],
    ["report.final", docx, "docx"],
  ])("%s", async (name, bytes, format) => {
    expect(await detectFormat(bytes, name)).toBe(format);
  });
});

describe("refused files, with their reason", () => {
  test.each([
    ["a.pptx", docx, "named .pptx but its content is a Word document"],
    [
      "a.doc",
      Buffer.from("x"),
      "Old Word files (.doc) are not supported. Save the file as .docx and add the new file.",
    ],
    ["a.odp", makeOdt("", { type: "presentation" }), "OpenDocument presentations (.odp) are not supported."],
    ["a.odt", makeOdt("", { type: "spreadsheet" }), "OpenDocument spreadsheets (.ods) are not supported."],
    ["a.pdf", html, "named .pdf but its content is HTML"],
    ["a.docx", pdf, "named .docx but its content is a PDF"],
    ["a.txt", pdf, "named .txt but its content is a PDF"],
    ["a.csv", html, "named .csv but its content is HTML"],
    ["a.pdf", Buffer.from("just words"), "named .pdf but its content is plain text"],
    [
      "a.docx",
      makeZip([{ name: "xl/workbook.xml", data: "<a/>" }]),
      "named .docx but its content is an Excel workbook",
    ],
    ["a.docx", makeZip([{ name: "a.txt", data: "x" }]), "Archives (.zip) are not supported"],
    ["a.docx", docx.subarray(0, 300), "cannot be read. Open it, save it again and add the new file."],
    ["a.pdf", png, "named .pdf but its content is a PNG image"],
    ["a.pdf", gif, "its content is an image (gif). Save it as .pdf and add the new file."],
    ["photo", gif, "The file is an image (gif), which is not supported. Ragstone reads PDF,"],
    ["a.py", Buffer.from("print()"), "Files of type .py are not supported"],
    ["a.txt", Buffer.alloc(0), "The file is empty."],
    ["a.txt", Buffer.from(" \n\t\n"), "The file is empty."],
    [
      "a.docx",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      "password-protected",
    ],
    ["a.xlsx", Buffer.from("d0cf11e0a1b11ae1", "hex"), "Old Office files"],
  ])("%s: %#", async (name, bytes, reason) => {
    await expect(detectFormat(bytes, name)).rejects.toThrow(reason);
  });
});

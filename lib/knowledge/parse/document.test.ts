import { expect, test } from "vitest";
import { cleanDocument, documentTitle, type ParsedDocument } from "./document.ts";

test("replaces characters that the database refuses by U+FFFD, and drops soft hyphens and empty blocks", () => {
  const dirty: ParsedDocument = {
    title: " a\0b \n",
    blocks: [
      { kind: "heading", level: 1, text: " One\n line " },
      { kind: "paragraph", text: "lone \uD800 surrogate, soft\u00ADhyphen" },
      { kind: "paragraph", text: " \n" },
      { kind: "table", header: ["", ""], rows: [["", " "]] },
      { kind: "table", header: ["a\0"], rows: [["b\nc"]] },
    ],
    metadata: { k: "v\0" },
  };
  expect(cleanDocument(dirty)).toEqual({
    title: "a\uFFFDb",
    blocks: [
      { kind: "heading", level: 1, text: "One line" },
      { kind: "paragraph", text: "lone \uFFFD surrogate, softhyphen" },
      { kind: "table", header: ["a\uFFFD"], rows: [["b c"]] },
    ],
    metadata: { k: "v\uFFFD" },
  });
});

test("the title is the document's own, otherwise its first heading, otherwise the file name", () => {
  const heading = { kind: "heading", level: 2, text: "Heading" } as const;
  expect(documentTitle({ title: "Own", blocks: [heading], metadata: {} }, "a.txt")).toBe("Own");
  expect(documentTitle({ title: null, blocks: [heading], metadata: {} }, "a.txt")).toBe("Heading");
  expect(documentTitle({ title: null, blocks: [], metadata: {} }, "a.txt")).toBe("a.txt");
});

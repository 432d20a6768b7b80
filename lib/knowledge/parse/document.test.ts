import { expect, test } from "vitest";
import { cleanDocument, documentTitle, type ParsedDocument } from "./document.ts";

test("what a database refuses becomes U+FFFD, soft hyphens and empty blocks go", () => {
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

test("the title is the document's own, else its first heading, else its name", () => {
  const heading = { kind: "heading", level: 2, text: "Heading" } as const;
  expect(documentTitle({ title: "Own", blocks: [heading], metadata: {} }, "a.txt")).toBe("Own");
  expect(documentTitle({ title: null, blocks: [heading], metadata: {} }, "a.txt")).toBe("Heading");
  expect(documentTitle({ title: null, blocks: [], metadata: {} }, "a.txt")).toBe("a.txt");
});

import { expect, test } from "vitest";
import { parseEpub } from "./epub.ts";
import { makeEpub } from "./office-fixtures.ts";

test("reads the chapters in reading order, without the table of contents", async () => {
  const { title, blocks } = await parseEpub(
    makeEpub(['<h1>One</h1><p>First<a id="p1"/> page<br/>ends.</p><script/>', "<h2>Two</h2><p>Second</p>"]),
  );
  expect(title).toBe("A book");
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "One" },
    { kind: "paragraph", text: "First page\nends." },
    { kind: "heading", level: 2, text: "Two" },
    { kind: "paragraph", text: "Second" },
  ]);
});

test("refuses a book whose chapters are encrypted, but not one whose fonts are", async () => {
  const encrypted = makeEpub(["<p>Hi</p>"], { protectedName: "OEBPS/text/chapter%200.xhtml" });
  await expect(parseEpub(encrypted)).rejects.toThrow("protected against copying");
  expect((await parseEpub(makeEpub(["<p>Hi</p>"], { protectedName: "fonts/a.otf" }))).blocks).toHaveLength(1);
});

test("says that struck-out text of a chapter was left out", async () => {
  const { blocks, notice } = await parseEpub(makeEpub(["<p>Hi</p>", "<p><s>€49</s> €39</p>"]));
  expect(blocks.at(-1)).toEqual({ kind: "paragraph", text: "€39" });
  expect(notice).toContain("Struck-out text was left out.");
});

import { expect, test } from "vitest";
import { parseRtf } from "./rtf.ts";

const START = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}`;

test("reads headings, code pages, lists and tables", async () => {
  const { title, blocks } = await parseRtf(
    Buffer.from(
      START +
        String.raw`{\info{\title Return policy}}\pard\s1 Chapter one\par
\pard\s0 Caf\'e9 \u8364? {\b bold} {\f1 \'cf\'f0\'e8}\par
\trowd\cellx1000\cellx2000\cellx3000 \intbl Plan\cell Price\cell Term\cell\row
\trowd\cellx1000\cellx2000\cellx3000 \intbl Basic\cell 10 \u8364?\cell 1 year\cell\row
\pard {\pntext\f0 1.\tab}Item one\par {\pntext\f0 2.\tab}Item two\par}`,
    ),
  );
  expect(title).toBe("Return policy");
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Chapter one" },
    { kind: "paragraph", text: "Café € bold При" },
    { kind: "table", header: ["Plan", "Price", "Term"], rows: [["Basic", "10 €", "1 year"]] },
    { kind: "list", text: "- Item one\n- Item two" },
  ]);
});

test("groups that are nested 100,000 deep are refused in plain words", async () => {
  const deep = Buffer.from(`{\\rtf1 ${"{".repeat(100_000)}a${"}".repeat(100_000)}}`);
  await expect(parseRtf(deep)).rejects.toThrow("nested too deeply");
});

test("leaves out hidden text, and says so", async () => {
  const { blocks, notice } = await parseRtf(
    Buffer.from(
      START +
        String.raw`\pard Costs 10 \u8364?{\v , ours: 4 \u8364?, caf\'e9 \{x\} {\b secret}} a month.\par
\v internal\par \v0 Shown again.\par {\v hidden \plain plain}\par \viewkind4 End.\par}`,
    ),
  );
  expect(blocks).toEqual([
    { kind: "paragraph", text: "Costs 10 € a month." },
    { kind: "paragraph", text: "Shown again." },
    { kind: "paragraph", text: "plain" },
    { kind: "paragraph", text: "End." },
  ]);
  expect(notice).toContain("Hidden text was left out.");
});

test.each([
  String.raw`{\v1 secret}Shown.\par`,
  String.raw`{\v Anna\rquote s price}Shown.\par`,
  String.raw`{\v {\shp{\*\shpinst{\shptxt \pard\plain box\par}}}}Shown.\par`,
  String.raw`{\v1\b secret}{\v {\*\bkmkstart x}secret}Shown.\par`,
])("leaves out the hidden text of %s", async (body) => {
  const { blocks, notice } = await parseRtf(Buffer.from(`{\\rtf1 ${body}}`));
  expect(blocks).toEqual([{ kind: "paragraph", text: "Shown." }]);
  expect(notice).toBeDefined();
});

test.each([
  String.raw`Costs {\deleted\revauthdel1 9}{\revised 10} \u8364?.\par`,
  String.raw`Costs \deleted 9\'80 \deleted0 10 \u8364?.\par`,
  String.raw`Costs {\deleted {\b 9}\plain 10} \u8364?.\par`,
  String.raw`Costs 10 \u8364?.{\*\atnid AL}{\*\atnauthor Ada}{\*\annotation \pard secret\par}\par`,
])("leaves out deleted text and comments in %s, without a notice", async (body) => {
  const { blocks, notice } = await parseRtf(Buffer.from(`{\\rtf1 ${body}}`));
  expect(blocks).toEqual([{ kind: "paragraph", text: "Costs 10 €." }]);
  expect(notice).toBeUndefined();
});

test.each([
  String.raw`{\stylesheet{\s15\v Top of Form;}}Shown.\par`,
  String.raw`{\xe {\v term}}Shown.\par`,
  String.raw`\v0 Shown.{\v  }\par`,
])("has no notice for %s", async (body) => {
  const { blocks, notice } = await parseRtf(Buffer.from(`{\\rtf1 ${body}}`));
  expect(JSON.stringify(blocks)).toContain("Shown.");
  expect(notice).toBeUndefined();
});

test("binary data that looks like a mark of hidden text hides nothing", async () => {
  const { blocks, notice } = await parseRtf(Buffer.from(String.raw`{\rtf1 Before.\par{\pict\bin4 \v {}After.\par}`));
  expect(JSON.stringify(blocks)).toContain("After.");
  expect(notice).toBeUndefined();
});

test("keeps superscripts apart from the numbers before them", async () => {
  const { blocks } = await parseRtf(
    Buffer.from(
      START +
        String.raw`\pard\s1 Plan 5{\super 1}\par \pard\s0 \u8364?49{\super 1} a month,\line 10\super 6\nosupersub  m{\super 2}, 1{\super 1}/{\sub 2}\par
\trowd\cellx1000\cellx2000 \intbl Basic\cell \u8364?49{\super 99}\par Plus 5{\super 1}\cell\row
\pard {\pntext\f0 1.\tab}Item 49{\super 1}\par}`,
    ),
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Plan 5^1" },
    { kind: "paragraph", text: "€49^1 a month,\n10^6 m2, 1 1/2" },
    { kind: "table", header: [], rows: [["Basic", "€49.99 Plus 5^1"]] },
    { kind: "list", text: "- Item 49^1" },
  ]);
});

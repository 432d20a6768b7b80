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

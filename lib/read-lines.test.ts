import { expect, test } from "vitest";
import { type NumberedLine, readLines } from "./read-lines.ts";
import { fc } from "./testing/property.ts";

async function* cutAt(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function collect(lines: AsyncIterable<NumberedLine>): Promise<NumberedLine[]> {
  const collected: NumberedLine[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}

test("finds the lines wherever the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const lines = given.map((line) => line.replaceAll("\n", "").replaceAll("\uFEFF", ""));
      const read = await collect(readLines(cutAt(Buffer.from(lines.map((line) => `${line}\n`).join("")), size)));
      expect(read).toEqual(lines.map((text, index) => ({ row: index + 1, text })));
    }),
  );
});

test("reports a line that is too long or not UTF-8, and continues", async () => {
  const long = Buffer.alloc(3 * 1024 * 1024, "x");
  const bytes = Buffer.concat([Buffer.from("a\n"), long, Buffer.from("\n"), Buffer.from([0xff, 10]), Buffer.from("b")]);
  const read = await collect(readLines(cutAt(bytes, 65_536), 2 * 1024 * 1024));
  expect(read).toEqual([
    { row: 1, text: "a" },
    { row: 2, error: "it is longer than 2 MB" },
    { row: 3, error: "it is not valid UTF-8" },
    { row: 4, text: "b" },
  ]);
});

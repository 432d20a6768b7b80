import { expect, test } from "vitest";
import type { ParsedDocument, ReadingProgress } from "./document.ts";
import { readDocument } from "./parse.ts";
import { drawLines, drawTurned, makeScannedPdf } from "./scan-fixtures.ts";

const scan = drawLines(["Refunds take fourteen days."], "jpeg");

/** Reads a file to its end, and collects the progress. */
async function read(bytes: Uint8Array, fileName: string, languages = ["eng"]) {
  const progress: ReadingProgress[] = [];
  const reading = readDocument(bytes, fileName, languages);
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) progress.push(next.value);
  return { progress, document: next.value };
}

function texts({ blocks }: ParsedDocument) {
  return blocks.map((block) => [block.page, block.kind === "table" ? "table" : block.text]);
}

test("recognises the pages of a PDF that have no text, page by page", async () => {
  const pdf = makeScannedPdf([scan, "Written text.", scan]);
  const { document, progress } = await read(pdf, "a.pdf", ["eng", "ita"]);
  expect(texts(document)).toEqual([
    [1, "Refunds take fourteen days."],
    [2, "Written text."],
    [3, "Refunds take fourteen days."],
  ]);
  expect(document.notice).toBeUndefined();
  expect(progress).toEqual([
    { done: 0, total: 2 },
    { done: 1, total: 2, recognised: { page: 1, text: "Refunds take fourteen days.", confidence: expect.any(Number) } },
  ]);
});

test("recognises a PNG image, and says when the text is hard to read", async () => {
  const { document } = await read(drawLines(["Offices close at noon."], "png"), "a.png");
  expect(texts(document)).toEqual([[undefined, "Offices close at noon."]]);
  const blurred = await read(drawLines(["Refunds take fourteen days."], "png", 3), "a.png");
  expect(blurred.document.notice).toMatch(/^Text recognition was unsure about this document \(confidence [1-5]?\d %\)/);
});

test("a PDF with text is not recognised, and nothing is when recognition is off", async () => {
  expect((await read(makeScannedPdf(["Written text."]), "a.pdf")).progress).toEqual([]);
  expect(texts((await read(makeScannedPdf(["Written text.", scan]), "a.pdf", [])).document)).toHaveLength(1);
  await expect(read(makeScannedPdf([scan]), "a.pdf", [])).rejects.toThrow("turned off on this server");
  await expect(read(scan, "a.jpg", [])).rejects.toThrow("turned off on this server. Recognise the text with another");
});

test("a language whose data is missing is named, and nothing is fetched", async () => {
  await expect(read(scan, "a.jpg", ["eng", "tlh"])).rejects.toThrow('no data for the language "tlh"');
});

test("an image with huge dimensions is refused before it is decoded", async () => {
  const png = drawLines(["Hi"], "png");
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  await expect(read(png, "a.png")).rejects.toThrow("too large (30,000 × 30,000 pixels)");
  const jpeg = Buffer.from(scan);
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(30_000, frame + 5);
  jpeg.writeUInt16BE(30_000, frame + 7);
  await expect(read(jpeg, "a.jpg")).rejects.toThrow("too large (30,000 × 30,000 pixels)");
  await expect(read(scan.subarray(0, 20), "a.jpg")).rejects.toThrow("damaged");
});

test("recognises a photo upright that was stored upside down", async () => {
  const { document } = await read(await drawTurned(["Offices close at noon."]), "a.jpg");
  expect(texts(document)).toEqual([[undefined, "Offices close at noon."]]);
});

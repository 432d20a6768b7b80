import { countText } from "../../counted.ts";
import { type Reading, UnreadableFile } from "./document.ts";
import { type PageImage, PIXELS_MAX, recognisePages } from "./recognise.ts";

const NOT_READ =
  "Images are not read, because text recognition is turned off on this server. Recognise the text with another program and add it as a file.";
/** Above it, decoding needs too much memory. */
const DECODED_PIXELS_MAX = 40_000_000;
/** JPEG's markers of a frame, whose header has the size. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** Recognises the text of a PNG or JPEG image. @throws {UnreadableFile} */
export async function* parseImage(bytes: Uint8Array, languages: readonly string[]): Reading {
  if (languages.length === 0) throw new UnreadableFile(NOT_READ);
  const { width, height } = imageSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (width * height > DECODED_PIXELS_MAX) {
    const size = `${countText(width)} × ${countText(height)}`;
    throw new UnreadableFile(`The image is too large (${size} pixels). Make it smaller and add it again.`);
  }
  const { blocks, notice } = yield* recognisePages(draw(bytes), 1, languages);
  if (blocks.length === 0)
    throw new UnreadableFile("Text recognition found no text in the image. Add a sharper image, or the text itself.");
  return { title: null, blocks: blocks.map(({ page: _, ...block }) => block), metadata: {}, notice };
}

/** The image on a white ground, made smaller if it is large. */
async function* draw(bytes: Uint8Array): AsyncGenerator<PageImage> {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const image = await loadImage(Buffer.from(bytes));
  const scale = Math.min(1, Math.sqrt(PIXELS_MAX / (image.width * image.height)));
  const canvas = createCanvas(Math.ceil(image.width * scale), Math.ceil(image.height * scale));
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  yield { page: 1, png: await canvas.encode("png") };
}

/** Reads the size from the header, before anything is decoded. @throws {RangeError} when the header is cut off */
function imageSize(bytes: Buffer): { width: number; height: number } {
  if (bytes[0] === 0x89) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let at = 2;
  while (!FRAMES.has(bytes.readUInt8(at + 1))) at += 2 + bytes.readUInt16BE(at + 2);
  return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
}

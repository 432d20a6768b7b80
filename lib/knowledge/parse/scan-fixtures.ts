import path from "node:path";
import { createCanvas, GlobalFonts, loadImage } from "@napi-rs/canvas";
import { pdfOf } from "./fixtures.ts";

/** Small generated scans for parser tests. */

const WIDTH = 640;
const LINE_HEIGHT = 48;

/** An image with these lines of text. `blur` in pixels makes them hard to read. */
export function drawLines(lines: string[], format: "png" | "jpeg", blur = 0): Buffer {
  const font = path.resolve("node_modules/geist/dist/fonts/geist-sans/Geist-Regular.ttf");
  GlobalFonts.registerFromPath(font, "Fixture");
  const canvas = createCanvas(WIDTH, (lines.length + 1) * LINE_HEIGHT);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = "28px Fixture";
  context.filter = blur === 0 ? "none" : `blur(${blur}px)`;
  lines.forEach((line, index) => {
    context.fillText(line, 20, (index + 1) * LINE_HEIGHT);
  });
  return format === "png" ? canvas.toBuffer("image/png") : canvas.toBuffer("image/jpeg", 90);
}

/** The image of `drawLines` upside down, as a camera stores it with the way to turn it (EXIF orientation 3). */
export async function drawTurned(lines: string[]): Promise<Buffer> {
  const image = await loadImage(drawLines(lines, "png"));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.rotate(Math.PI);
  context.drawImage(image, -image.width, -image.height);
  const jpeg = canvas.toBuffer("image/jpeg", 90);
  const exif = Buffer.from("ffe1002245786966000049492a0008000000010012010300010000000300000000000000", "hex");
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** A PDF whose pages are JPEG images, or Helvetica text where a page is a string. */
export function makeScannedPdf(pages: (Buffer | string)[], size = { width: WIDTH, height: 2 * LINE_HEIGHT }): Buffer {
  const stream = (dictionary: string, content: string) =>
    `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const kids = pages.map((_, index) => `${4 + index * 3} 0 R`);
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((page, index) => {
      const { width, height } = size;
      const resources = `/Resources << /Font << /R 3 0 R >> /XObject << /I ${6 + index * 3} 0 R >> >>`;
      const content = typeof page === "string" ? `BT /R 12 Tf 20 20 Td (${page}) Tj ET` : "307 0 0 46 0 0 cm /I Do";
      const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 307 46] /Contents ${5 + index * 3} 0 R ${resources} >>`,
        stream("", content),
        stream(image, typeof page === "string" ? "" : page.toString("latin1")),
      ];
    }),
  ]);
}

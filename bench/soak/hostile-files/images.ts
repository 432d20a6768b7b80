import { crc32, deflateSync } from "node:zlib";
import { drawLines, makeScannedPdf } from "../../../lib/knowledge/parse/scan-fixtures.ts";
import { cheap, type HostileFile, hostileFiles } from "./hostile-file.ts";

/** Images with huge or false dimensions, and scans of many or huge pages. */
export const images: HostileFile[] = hostileFiles({
  "30k-by-30k.png": cheap(() => png(30_000, 30_000, Buffer.alloc(1_000))),
  "bomb.png": cheap(() => png(6_000, 6_000, Buffer.alloc(6_000 * 6_001))),
  "claims-more.png": cheap(() => png(6_000, 6_000, Buffer.alloc(100))),
  "no-pixels.png": cheap(() => png(0, 0, Buffer.alloc(0))),
  "cut-off.png": cheap(() => png(100, 100, Buffer.alloc(10_100)).subarray(0, 60)),
  "30k-by-30k.jpg": cheap(() => jpeg(30_000, 30_000)),
  "claims-more.jpg": cheap(() => jpeg(6_000, 6_000)),
  "markers-without-end.jpg": cheap(() => Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(100_000)])),
  "noise.png": cheap((random) => {
    const pixels = Buffer.from(Array.from({ length: 1_000 * 1_001 }, () => random.between(0, 255)));
    for (let row = 0; row < 1_000; row++) pixels[row * 1_001] = 0;
    return png(1_000, 1_000, pixels);
  }),
  "huge-image.pdf": cheap(() => makeScannedPdf([jpeg(640, 96)], { width: 30_000, height: 30_000 })),
  "500-scans.pdf": () => makeScannedPdf(Array.from({ length: 500 }, () => jpeg(640, 96))),
});

/** A grey image. */
function png(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

/** A photo of a line of text that claims these dimensions. */
function jpeg(width: number, height: number): Buffer {
  const bytes = drawLines(["Granite"], "jpeg");
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

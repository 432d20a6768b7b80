import { deflateSync } from "node:zlib";
import { makePdf } from "../../../lib/knowledge/parse/fixtures.ts";
import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

const MB = 1024 * 1024;
const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const ONE_PAGE = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE =
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /R 5 0 R >> >> >>";
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/** PDFs: loops, deep nesting, compression bombs and pages that never finish drawing. */
export const pdfs: HostileFile[] = hostileFiles({
  "page-loop.pdf": cheap(() => pdf([CATALOG, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"])),
  "pages-that-hold-each-other.pdf": cheap(() =>
    pdf([
      CATALOG,
      "<< /Type /Pages /Kids [3 0 R] /Count 9 >>",
      "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>",
    ]),
  ),
  "10k-pages.pdf": () =>
    makePdf(Array.from({ length: 10_000 }, (_, page) => [{ x: 50, y: 700, text: `Page ${page}` }])),
  "claims-2-billion-pages.pdf": cheap(() =>
    pdf([CATALOG, "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>", PAGE, stream("")]),
  ),
  "deep-page-tree.pdf": () => {
    const levels = 5_000;
    const tree = Array.from(
      { length: levels },
      (_, level) => `<< /Type /Pages /Kids [${level + 3} 0 R] /Count 1 /Parent ${level + 1} 0 R >>`,
    );
    return pdf([CATALOG, ...tree, `<< /Type /Page /Parent ${levels + 1} 0 R /MediaBox [0 0 9 9] >>`]);
  },
  "deep-arrays.pdf": cheap(() =>
    pdf([CATALOG, ONE_PAGE, PAGE, stream(""), `${"[".repeat(200_000)}${"]".repeat(200_000)}`]),
  ),
  "deep-arrays-in-a-page.pdf": cheap(() => page(`${"[".repeat(200_000)}${"]".repeat(200_000)} TJ`)),
  "flate-bomb.pdf": () => pdf([CATALOG, ONE_PAGE, PAGE, flate(Buffer.alloc(400 * MB, " ")), FONT]),
  "flate-in-flate-bomb.pdf": () => {
    let data = deflateSync(Buffer.alloc(400 * MB, " "), { level: 9 });
    for (let count = 0; count < 2; count++) data = deflateSync(data, { level: 9 });
    return pdf([CATALOG, ONE_PAGE, PAGE, raw(data, "/Filter [/FlateDecode /FlateDecode /FlateDecode]"), FONT]);
  },
  "scripts.pdf": cheap(() =>
    pdf([
      "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while \\(true\\) {}) >> /AA << /WC << /S /Launch /F (/bin/sh) >> >> >>",
      ONE_PAGE,
      PAGE,
      stream(show("Granite")),
      FONT,
    ]),
  ),
  "xref-loop.pdf": cheap(() =>
    Buffer.from(
      page(show("Granite"))
        .toString("latin1")
        .replace("/Root", "/Prev 9 /Root")
        .replace(/startxref\n\d+/, "startxref\n9"),
      "latin1",
    ),
  ),
  "no-xref.pdf": cheap(() =>
    Buffer.from(
      page(show("Granite"))
        .toString("latin1")
        .replace(/xref[\s\S]*/, ""),
      "latin1",
    ),
  ),
  "cut-off.pdf": cheap((random) => {
    const whole = makePdf(Array.from({ length: 30 }, () => [{ x: 50, y: 700, text: "Granite" }]));
    return whole.subarray(0, random.between(500, whole.length - 200));
  }),
  "flipped-bytes.pdf": cheap((random) => {
    const bytes = makePdf(Array.from({ length: 30 }, () => [{ x: 50, y: 700, text: "Granite" }]));
    for (let count = 0; count < 60; count++) bytes[random.between(10, bytes.length - 1)] = random.between(0, 255);
    return bytes;
  }),
  "form-that-draws-itself.pdf": cheap(() => withForms(1, () => "/F0 Do")),
  "forms-that-draw-two-each.pdf": () => withForms(30, (form) => `${show("a")} /F${form + 1} Do /F${form + 1} Do`),
  "a-million-words.pdf": () => page("BT /R 9 Tf 50 700 Td (granite ) Tj ET ".repeat(300_000)),
  "words-all-over.pdf": () => {
    const words = Array.from(
      { length: 60_000 },
      (_, index) => `BT /R 9 Tf ${index % 600} ${(index * 7) % 790} Td (ab) Tj ET`,
    );
    return page(words.join("\n"));
  },
  "a-million-letters-on-a-line.pdf": () =>
    page(Array.from({ length: 50_000 }, (_, index) => `BT /R 9 Tf ${index / 100} 700 Td (a) Tj ET`).join("\n")),
  "numbers-beyond-all-bounds.pdf": cheap(() =>
    page(`1e999 0 0 -1e999 1e999 NaN cm BT /R 1e308 Tf 1e308 -1e308 Td (Granite) Tj ET`),
  ),
  "font-that-maps-everything.pdf": () =>
    pdf([
      CATALOG,
      ONE_PAGE,
      PAGE,
      stream(show("Granite")),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
      stream(`begincmap 100 beginbfrange ${"<0000> <FFFFFFFF> <0041>\n".repeat(2_000)} endbfrange endcmap`),
    ]),
  "saves-and-never-restores.pdf": cheap(() => page("q ".repeat(500_000) + show("Granite"))),
  "image-of-a-square-kilometre.pdf": cheap(() =>
    pdf([
      CATALOG,
      ONE_PAGE,
      PAGE.replace("/Font", "/XObject << /I 6 0 R >> /Font"),
      stream(`/I Do ${show("Granite")}`),
      FONT,
      raw(
        Buffer.alloc(100),
        "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
      ),
    ]),
  ),
  "password.pdf": cheap(() => makePdf([[{ x: 50, y: 700, text: "Granite" }]], { encrypted: true })),
  "also-a-zip.pdf": cheap(() => Buffer.concat([page(show("Granite")), Buffer.from("PK\u0003\u0004")])),
  "50k-broken-objects.pdf": () => text(`%PDF-1.4\n${"1 0 obj << /Type /Page /Parent 1 0 R ".repeat(200_000)}`),
});

function show(words: string): string {
  return `BT /R 12 Tf 50 700 Td (${words}) Tj ET`;
}

function page(content: string): Buffer {
  return pdf([CATALOG, ONE_PAGE, PAGE, stream(content), FONT]);
}

function withForms(count: number, content: (form: number) => string): Buffer {
  const names = Array.from({ length: count + 1 }, (_, form) => `/F${form} ${form + 6} 0 R`).join(" ");
  const resources = `/Resources << /Font << /R 5 0 R >> /XObject << ${names} >> >>`;
  const forms = Array.from({ length: count + 1 }, (_, form) => {
    const drawn = form === count && count > 1 ? show("a") : content(form);
    return raw(Buffer.from(drawn), `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources}`);
  });
  const first = PAGE.replace(/\/Resources.*(?= >>$)/, resources);
  return pdf([CATALOG, ONE_PAGE, first, stream("/F0 Do"), FONT, ...forms]);
}

function stream(content: string): Buffer {
  return raw(Buffer.from(content, "latin1"), "");
}

function flate(content: Buffer): Buffer {
  return raw(deflateSync(content, { level: 9 }), "/Filter /FlateDecode");
}

function raw(data: Buffer, entries: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${entries} >>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
}

function pdf(objects: (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  }
  const lines = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}trailer << /Size ${objects.length + 1} /Root 1 0 R >>`;
  return Buffer.concat([...parts, Buffer.from(`${table}\nstartxref\n${length}\n%%EOF\n`)]);
}

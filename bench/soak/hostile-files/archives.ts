import { gzipSync } from "node:zlib";
import { makeDocx, makeZip, wordParagraph } from "../../../lib/knowledge/parse/fixtures.ts";
import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

const MB = 1024 * 1024;
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** Archives and Word documents: zip bombs, false sizes and names, XML entities, loops and deep nesting. */
export const archives: HostileFile[] = hostileFiles({
  "bomb-1000-to-1.docx": cheap(() => makeDocx(wordParagraph(" ".repeat(100 * MB)))),
  "bomb-beside-the-text.docx": cheap(() =>
    makeDocx(wordParagraph("Granite"), { extra: [{ name: "word/media/a.bin", data: Buffer.alloc(200 * MB) }] }),
  ),
  "nested.zip": cheap(() => nested(6)),
  "nested-renamed.docx": cheap(() => nested(6)),
  "nested-embedded.docx": cheap(() =>
    makeDocx(wordParagraph("Granite"), { extra: [{ name: "word/embeddings/a.zip", data: nested(4) }] }),
  ),
  "100k-entries.docx": () => {
    const extra = Array.from({ length: 60_000 }, (_, index) => ({ name: `word/media/${index}`, data: "" }));
    return makeDocx(wordParagraph("Granite"), { extra });
  },
  "claims-few-bytes.docx": cheap(() =>
    makeZip([
      { name: "word/document.xml", data: Buffer.alloc(80 * MB, "<w:p/>"), claimedSize: 10 },
      { name: "[Content_Types].xml", data: "<Types/>" },
    ]),
  ),
  "claims-4-gigabytes.xlsx": cheap(() =>
    makeZip([{ name: "xl/workbook.xml", data: "<workbook/>", claimedSize: 0xfffffffe }]),
  ),
  "same-bytes-10k-times.docx": cheap(() => overlapping(9_000)),
  "encrypted.docx": cheap(() => makeZip([{ name: "word/document.xml", data: "<a/>", flags: 1 }])),
  "password.xlsx": cheap(() =>
    Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(4_096),
      Buffer.from("EncryptedPackage", "utf16le"),
      Buffer.alloc(4_096),
    ]),
  ),
  "leaves-its-folder.docx": cheap(() =>
    makeDocx(wordParagraph("Granite"), {
      extra: ["../../../../tmp/evil", "/etc/passwd", "..\\..\\evil", "a\0b", "C:\\evil", "word/../../evil"].map(
        (name) => ({
          name,
          data: "evil",
        }),
      ),
    }),
  ),
  "two-of-each.docx": cheap(() =>
    makeDocx(wordParagraph("Granite"), { extra: [{ name: "word/document.xml", data: "<evil/>" }] }),
  ),
  "external-entity.docx": cheap(() =>
    withDocument(
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${document("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>")}`,
    ),
  ),
  "billion-laughs.docx": cheap(() => withDocument(`${laughs()}${document("<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>")}`)),
  "billion-laughs-utf16.docx": cheap(() =>
    makeDocx("", {
      extra: [{ name: "word/document.xml", data: Buffer.from(`\uFEFF${laughs()}${document("&l9;")}`, "utf16le") }],
    }),
  ),
  "deep-tables.docx": cheap(() => makeDocx(deep("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 20_000))),
  "deep-runs.docx": cheap(() => makeDocx(deep("<w:hyperlink>", "</w:hyperlink>", 100_000))),
  "a-million-paragraphs.docx": () => makeDocx(wordParagraph("a").repeat(400_000)),
  "50k-hidden-runs.docx": cheap(() =>
    makeDocx(`<w:p>${"<w:r><w:rPr><w:vanish/></w:rPr><w:t>a</w:t></w:r>".repeat(50_000)}</w:p>`),
  ),
  "hidden-in-hidden.docx": cheap(() => makeDocx(deep("<w:p><w:r><w:rPr><w:vanish/></w:rPr>", "</w:r></w:p>", 50_000))),
  "style-that-is-its-own-base.docx": cheap(() =>
    makeDocx(wordParagraph("Granite", { style: "A" }), {
      extra: [
        {
          name: "word/styles.xml",
          data: `<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="A"/></w:style></w:styles>`,
        },
      ],
    }),
  ),
  "wide-table.docx": cheap(() => {
    const cell = '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/><w:vMerge/></w:tcPr><w:p/></w:tc>';
    return makeDocx(`<w:tbl><w:tr>${cell.repeat(2_000)}</w:tr></w:tbl>${wordParagraph("Granite")}`);
  }),
  "cut-off.docx": cheap((random) => {
    const whole = makeDocx(wordParagraph("Granite").repeat(500));
    return whole.subarray(0, random.between(100, whole.length - 30));
  }),
  "flipped-bytes.docx": cheap((random) => {
    const bytes = makeDocx(wordParagraph("Granite weathers slowly.").repeat(500));
    for (let count = 0; count < 40; count++) bytes[random.between(30, bytes.length - 1)] = random.between(0, 255);
    return bytes;
  }),
  "bomb.txt": cheap(() => gzipSync(Buffer.alloc(50 * MB))),
  "bomb.gz": cheap(() => gzipSync(Buffer.alloc(50 * MB))),
});

function document(body: string): string {
  return `<w:document ${WORD}><w:body>${body}</w:body></w:document>`;
}

function withDocument(xml: string): Buffer {
  return makeZip([
    { name: "[Content_Types].xml", data: "<Types/>" },
    { name: "word/document.xml", data: text(xml).toString() },
  ]);
}

function laughs(): string {
  const entities = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${entities.join("")}]>`;
}

function deep(open: string, close: string, levels: number): string {
  return `${open.repeat(levels)}${wordParagraph("Granite")}${close.repeat(levels)}`;
}

/** Nested archives, each with several copies of the next one. */
function nested(levels: number): Buffer {
  let inner = makeZip([{ name: "0.bin", data: Buffer.alloc(10 * MB) }]);
  for (let level = 0; level < levels; level++) {
    const data = inner;
    inner = makeZip(Array.from({ length: 10 }, (_, index) => ({ name: `${index}.zip`, data })));
  }
  return inner;
}

/** An archive whose entries all point to the same compressed bytes. */
function overlapping(count: number): Buffer {
  const one = makeZip([{ name: "word/document.xml", data: Buffer.alloc(2 * MB) }]);
  const end = one.length - 22;
  const start = one.readUInt32LE(end + 16);
  const entry = one.subarray(start, end);
  const trailer = Buffer.from(one.subarray(end));
  trailer.writeUInt16LE(count, 8);
  trailer.writeUInt16LE(count, 10);
  trailer.writeUInt32LE(entry.length * count, 12);
  return Buffer.concat([one.subarray(0, start), ...Array.from({ length: count }, () => entry), trailer]);
}

import { crc32, deflateRawSync } from "node:zlib";

/** Small generated files for parser tests. */

export interface ZipFixture {
  name: string;
  data: string | Buffer;
  /** Bit 0 means encrypted. */
  flags?: number;
  /** The size that the archive declares. */
  claimedSize?: number;
  /** Not compressed. */
  isStored?: boolean;
}

/** A zip archive of deflated entries. */
export function makeZip(entries: ZipFixture[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, flags = 0, claimedSize, isStored = false } of entries) {
    const raw = Buffer.from(data);
    const packed = isStored ? raw : deflateRawSync(raw);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(raw), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedSize ?? raw.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), fields, rest, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A Word document with this XML in its body. */
export function makeDocx(
  body: string,
  { title = "", styles = "", extra = [] }: { title?: string; styles?: string; extra?: ZipFixture[] } = {},
): Buffer {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ' +
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ' +
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
  const headings = ["Title", "Heading 1", "Heading 2"].map(
    (name) => `<w:style w:type="paragraph" w:styleId="${name.replace(" ", "")}"><w:name w:val="${name}"/></w:style>`,
  );
  return makeZip([
    { name: "[Content_Types].xml", data: types },
    { name: "_rels/.rels", data: relations },
    { name: "word/styles.xml", data: `<w:styles ${WORD}>${headings.join("")}${styles}</w:styles>` },
    { name: "word/document.xml", data: `<w:document ${WORD}><w:body>${body}</w:body></w:document>` },
    {
      name: "docProps/core.xml",
      data: `<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></c>`,
    },
    ...extra,
  ]);
}

export function wordParagraph(text: string, { style = "", bold = false } = {}): string {
  const properties = style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r>${bold ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function wordTable(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

/** A text on a page; x and y in points from the lower left corner. */
export interface PdfText {
  x: number;
  y: number;
  text: string;
  size?: number;
  bold?: boolean;
}

const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/** A small PDF that no reader can finish: each of its forms draws the next one twice. */
export function makeEndlessPdf(): Buffer {
  const content = (text: string) => `/Length ${text.length} >>\nstream\n${text}\nendstream`;
  const resources = (object: number) => `/Resources << /Font << /R 3 0 R >> /XObject << /F ${object} 0 R >> >>`;
  const forms = Array.from({ length: 60 }, (_, index) => {
    const drawn = index === 59 ? "BT /R 9 Tf (a) Tj ET" : "/F Do /F Do";
    return `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources(index + 7)} ${content(drawn)}`;
  });
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    HELVETICA,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R ${resources(6)} >>`,
    `<< ${content("/F Do")}`,
    ...forms,
  ]);
}

/** A PDF in Helvetica. `encrypted` adds an unknown password. */
export function makePdf(pages: PdfText[][], { title = "", encrypted = false } = {}): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${6 + index * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    HELVETICA,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    `<< /Title (${title}) >>`,
    ...pages.flatMap((texts, index) => {
      const content = texts.map(drawText).join("\n");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${7 + index * 2} 0 R ` +
          "/Resources << /Font << /R 3 0 R /B 4 0 R >> >> >>",
        `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  const key = "00".repeat(32);
  const lock = encrypted
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]`
    : "";
  return pdfOf(objects, `/Info 5 0 R ${lock}`);
}

export function pdfOf(objects: string[], entries = ""): Buffer {
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R ${entries} >>`;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return Buffer.from(`${body}${table}${trailer}\nstartxref\n${body.length}\n%%EOF\n`, "latin1");
}

function drawText({ x, y, text, size = 11, bold = false }: PdfText): string {
  const escaped = text.replace(/[\\()]/g, "\\$&");
  return `BT /${bold ? "B" : "R"} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET`;
}

/** The lines of a paragraph, one below the other. */
export function pdfLines(
  x: number,
  y: number,
  lines: string[],
  options: { size?: number; bold?: boolean } = {},
): PdfText[] {
  return lines.map((text, index) => ({ x, y: y - index * (options.size ?? 11) * 1.2, text, ...options }));
}

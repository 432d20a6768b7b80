import { makeZip, type ZipFixture } from "../../../lib/knowledge/parse/fixtures.ts";
import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

const MB = 1024 * 1024;
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const STYLES = "xl/styles.xml";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Workbooks and CSV files: zip bombs, false sizes, and cells that refer to far more than they contain. */
export const workbooks: HostileFile[] = hostileFiles({
  "bomb-1000-to-1.xlsx": () => workbook(rows("<c><v>1</v></c>".repeat(5_000_000))),
  "lying-dimension.xlsx": cheap(() => workbook(`<dimension ref="A1:XFD1048576"/>${rows(cell("A1", "a"))}`)),
  "one-cell-at-the-end.xlsx": cheap(() =>
    workbook(
      `<sheetData><row r="1">${cell("A1", "a")}</row><row r="1048576">${cell("XFD1048576", "z")}</row></sheetData>`,
    ),
  ),
  "a-cell-in-each-last-column.xlsx": () =>
    workbook(
      `<sheetData>${Array.from({ length: 20_000 }, (_, row) => `<row r="${row + 1}">${cell(`XFD${row + 1}`, "z")}</row>`).join("")}</sheetData>`,
    ),
  "row-beyond-the-end.xlsx": cheap(() =>
    workbook(`<sheetData><row r="4294967295">${cell("ZZZZZZ4294967295", "z")}</row></sheetData>`),
  ),
  "one-string-10k-times.xlsx": () =>
    workbook(rows('<c t="s"><v>0</v></c>'.repeat(10_000)), [
      { name: "xl/sharedStrings.xml", data: `<sst ${MAIN}><si><t>${"granite ".repeat(MB / 8)}</t></si></sst>` },
    ]),
  "a-million-strings.xlsx": () =>
    workbook(rows('<c t="s"><v>7</v></c>'), [
      {
        name: "xl/sharedStrings.xml",
        data: `<sst ${MAIN} count="4000000000">${"<si><t>a</t></si>".repeat(1_000_000)}</sst>`,
      },
    ]),
  "everything-merged.xlsx": cheap(() =>
    workbook(`${rows(cell("A1", "a"))}<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(10_000)}</mergeCells>`),
  ),
  "columns-hidden-100k-times.xlsx": cheap(() =>
    workbook(`<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(100_000)}</cols>${rows(cell("A1", "a"))}`),
  ),
  "100k-hidden-rows.xlsx": cheap(() =>
    workbook(`<sheetData>${'<row hidden="1"><c><v>1</v></c></row>'.repeat(100_000)}</sheetData>`),
  ),
  "many-filters.xlsx": cheap(() =>
    workbook(
      `${'<autoFilter ref="A1:A1048576"><filterColumn colId="0"><a/></filterColumn></autoFilter>'.repeat(30_000)}<sheetData>${'<row hidden="1"><c><v>1</v></c></row>'.repeat(50_000)}</sheetData>`,
    ),
  ),
  "open-views.xlsx": cheap(() =>
    workbook(
      `${"<customSheetViews>".repeat(100_000)}<autoFilter ${'ref="A1:A1" '.repeat(100_000)}>${rows(cell("A1", "a"))}`,
    ),
  ),
  "5000-sheets.xlsx": () => workbook(rows(cell("A1", "a")), [], 5_000),
  "hostile-number-format.xlsx": cheap(() =>
    workbook(rows('<c s="1"><v>12345.678</v></c>'.repeat(500)), [
      {
        name: STYLES,
        data: `<styleSheet ${MAIN}><numFmts><numFmt numFmtId="200" formatCode="${"(#,##0_);[Red]".repeat(4_000)}"/></numFmts><cellXfs><xf/><xf numFmtId="200" applyNumberFormat="1"/></cellXfs></styleSheet>`,
      },
    ]),
  ),
  "dates-beyond-time.xlsx": cheap(() =>
    workbook(rows('<c s="1"><v>1E+300</v></c><c s="1"><v>-1E+300</v></c><c t="d"><v>9999999-99-99</v></c>')),
  ),
  "external-entity.xlsx": cheap(() =>
    makeZip([
      {
        name: "xl/workbook.xml",
        data: '<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:1/">]><workbook>&x;</workbook>',
      },
    ]),
  ),
  "prototype.xlsx": cheap(() =>
    workbook(rows(`${cell("__proto__", "a")}${cell("constructor1", "b")}`), [
      { name: "docProps/core.xml", data: "<a><__proto__>1</__proto__></a>" },
    ]),
  ),
  "cut-off.xlsx": cheap((random) => {
    const whole = workbook(rows(cell("A1", "granite").repeat(300)));
    return whole.subarray(0, random.between(100, whole.length - 30));
  }),
  "single-line-100-mb.csv": cheap(() => Buffer.alloc(100 * MB, "granite,")),
  "single-line-49-mb.csv": () => Buffer.alloc(49 * MB, "granite,"),
  "100k-columns.csv": () =>
    text(
      `${Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(",")}\n${"1,".repeat(99_999)}1\n`.repeat(3),
    ),
  "100k-columns-questions.csv": () =>
    text(`question,answer${",x".repeat(100_000)}\n${`a,b${",y".repeat(100_000)}\n`.repeat(20)}`),
  "unclosed-quote.csv": () => text(`a,b\n"${"granite,\n".repeat(1_000_000)}`),
  "only-quotes.csv": cheap(() => text('"'.repeat(1_000_001))),
  "only-commas.csv": () => text(`${",".repeat(1_000)}\n`.repeat(10_000)),
  "a-million-rows.csv": () => text(`name,price\n${"granite,10\n".repeat(1_000_000)}`),
  "delimiters-that-compete.csv": cheap(() => text("a,b;c\td|e\n".repeat(50_000))),
});

function cell(reference: string, value: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
}

function rows(cells: string): string {
  return `<sheetData><row r="1">${cells}</row></sheetData>`;
}

/** A workbook whose sheets all have the same content. */
function workbook(sheet: string, extra: ZipFixture[] = [], sheets = 1): Buffer {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  return makeZip([
    {
      name: "[Content_Types].xml",
      data:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
        `${numbers.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`).join("")}</Types>`,
    },
    {
      name: "_rels/.rels",
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      data: `<workbook ${MAIN} xmlns:r="${RELATIONS}"><sheets>${numbers.map((n) => `<sheet name="s${n}" sheetId="${n}" r:id="r${n}"/>`).join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      data:
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${numbers.map((n) => `<Relationship Id="r${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join("")}` +
        `<Relationship Id="x1" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="x2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    },
    ...numbers.map((n) => ({ name: `xl/worksheets/sheet${n}.xml`, data: `<worksheet ${MAIN}>${sheet}</worksheet>` })),
    ...(extra.some(({ name }) => name === STYLES) ? [] : [{ name: STYLES, data: `<styleSheet ${MAIN}/>` }]),
    ...extra,
  ]);
}

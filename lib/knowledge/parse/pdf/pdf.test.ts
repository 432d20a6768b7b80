import { expect, test } from "vitest";
import { returnValueOf } from "../../../return-value-of.ts";
import { makePdf, type PdfText, pdfLines } from "../fixtures.ts";
import { parsePdf } from "./pdf.ts";

const readPdf = (bytes: Uint8Array) => returnValueOf(parsePdf(bytes, []));

const body = [
  "The provider repairs every fault of the line within three working days after it was",
  "reported, and credits the customer six euros for each further day, in the next invoice,",
  "without being asked. Faults of devices that the customer bought elsewhere are not cov-",
  "ered. A well-known exception is the router.",
];

test("reads headings by size and bold type, wrapped lines, hyphens and page numbers", async () => {
  const { blocks, title } = await readPdf(
    makePdf(
      [
        [
          { x: 72, y: 720, text: "Service terms", size: 20 },
          { x: 72, y: 690, text: "1. Repairs", bold: true },
          ...pdfLines(72, 670, body),
          ...pdfLines(72, 600, ["A second paragraph stands apart."]),
        ],
        pdfLines(72, 700, ["Another page is a well-", "known place."]),
      ],
      { title: "Microsoft Word - terms.docx" },
    ),
  );
  expect(title).toBeNull();
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Service terms", page: 1 },
    { kind: "heading", level: 7, text: "1. Repairs", page: 1 },
    { kind: "paragraph", text: body.join(" ").replace("cov- ered", "covered"), page: 1 },
    { kind: "paragraph", text: "A second paragraph stands apart.", page: 1 },
    { kind: "paragraph", text: "Another page is a well-known place.", page: 2 },
  ]);
});

test("keeps raised numbers apart from the numbers before them", async () => {
  const { blocks } = await readPdf(
    makePdf([
      [
        ...pdfLines(72, 740, body),
        { x: 72, y: 640, text: "The fee is 49" },
        { x: 135.7, y: 644, text: "1", size: 6 },
        { x: 139.2, y: 640, text: " a month for 25 m" },
        { x: 225.6, y: 644, text: "2", size: 6 },
        { x: 229, y: 640, text: " of space." },
      ],
    ]),
  );
  expect(blocks[1]).toEqual({ kind: "paragraph", text: "The fee is 49 1 a month for 25 m2 of space.", page: 1 });
});

test("uses a meaningful title property as the title", async () => {
  const pdf = makePdf([pdfLines(72, 700, body)], { title: "Service terms for customers" });
  expect((await readPdf(pdf)).title).toBe("Service terms for customers");
});

test("drops running headers, footers and page numbers, and joins a paragraph across pages", async () => {
  const pages = ["one", "two", "three", "four"].map((word, index): PdfText[] => [
    { x: 72, y: 760, text: "Terms of Acme Ltd" },
    ...pdfLines(72, 700, [`On this page stands the word ${word}, which is enough to tell it from the others`, "and"]),
    { x: 300, y: 30, text: `Page ${index + 1} of 4` },
  ]);
  const { blocks } = await readPdf(makePdf(pages));
  const text = JSON.stringify(blocks);
  expect(text).not.toMatch(/Acme|Page \d/);
  expect(blocks.map((block) => block.page)).toEqual([1, 2, 3, 4]);

  const cut = await readPdf(makePdf([pdfLines(72, 100, body.slice(0, 1)), pdfLines(72, 700, body.slice(1))]));
  expect(cut.blocks).toHaveLength(1);
  expect(cut.blocks[0]).toMatchObject({ page: 1, text: expect.stringContaining("after it was reported") });
});

test("keeps different amounts, dates and numbers at the same places on several pages", async () => {
  const invoices = [4711, 4712, 4713, 4790].map((number, index): PdfText[] => [
    { x: 72, y: 760, text: `Invoice no. ${number}` },
    { x: 72, y: 740, text: `Date: ${index * 7 + 3} May 2024` },
    ...pdfLines(72, 700, body),
    { x: 72, y: 60, text: "Total" },
    { x: 300, y: 60, text: `${index * 10 + 20}.50 euros` },
    { x: 72, y: 30, text: "Acme Ltd" },
    { x: 500, y: 30, text: `${index + 1}/4` },
  ]);
  const { blocks } = await readPdf(makePdf(invoices));
  const text = JSON.stringify(blocks);
  for (const kept of ["4711", "4712", "4713", "4790", "3 May", "24 May", "20.50", "50.50"])
    expect(text).toContain(kept);
  expect(text).not.toMatch(/Acme|\d\/4/);
});

test("keeps the rows of a price list, and drops page numbers beside the titles of chapters", async () => {
  const pages = ["Apples", "Bread", "Coffee", "Dates"].map((name, index): PdfText[] => [
    { x: 72, y: 760, text: index % 2 === 0 ? String(index + 97) : `Chapter on ${name}` },
    { x: 400, y: 760, text: index % 2 === 0 ? `Chapter on ${name}` : String(index + 97) },
    { x: 72, y: 740, text: name },
    { x: 300, y: 740, text: "10.00" },
    { x: 400, y: 740, text: "a piece" },
    ...pdfLines(72, 700, body),
    { x: 300, y: 30, text: ["i", "ii", "iii", "iv"][index] ?? "" },
  ]);
  const { blocks } = await readPdf(makePdf(pages));
  const text = JSON.stringify(blocks);
  expect(text.match(/10\.00/g)).toHaveLength(4);
  expect(text.match(/a piece/g)).toHaveLength(4);
  expect(text).not.toMatch(/97|98|99|100|"i+v?"/);
});

test("reads a table without borders, with empty and wrapped cells", async () => {
  const columns = [72, 200, 300, 400];
  const row = (y: number, cells: string[]) =>
    cells.flatMap((text, index) => (text === "" ? [] : [{ x: columns[index] ?? 0, y, text }]));
  const { blocks } = await readPdf(
    makePdf([
      [
        ...pdfLines(72, 740, body),
        ...row(640, ["Plan", "Speed", "Price", "Note"]),
        ...row(616, ["Fibre 100", "100 Mb/s", "20 euros", ""]),
        ...row(592, ["Fibre 1000", "1 Gb/s", "", "most chosen by"]),
        ...row(579, ["", "", "", "families"]),
        ...row(555, ["Mobile", "", "10 euros", ""]),
        ...pdfLines(72, 500, body),
      ],
    ]),
  );
  expect(blocks.map(({ kind }) => kind)).toEqual(["paragraph", "table", "paragraph"]);
  expect(blocks[1]).toEqual({
    kind: "table",
    page: 1,
    header: ["Plan", "Speed", "Price", "Note"],
    rows: [
      ["Fibre 100", "100 Mb/s", "20 euros", ""],
      ["Fibre 1000", "1 Gb/s", "", "most chosen by families"],
      ["Mobile", "", "10 euros", ""],
    ],
  });
});

test("separates cells that are centred, wrapped and close together", async () => {
  const { blocks } = await readPdf(
    makePdf([
      [
        ...pdfLines(72, 740, body),
        { x: 72, y: 634, text: "Size" },
        { x: 118, y: 634, text: "Processors" },
        { x: 186, y: 640, text: "Traffic a" },
        { x: 186, y: 627, text: "month" },
        { x: 72, y: 600, text: "Small" },
        { x: 118, y: 600, text: "2" },
        { x: 186, y: 600, text: "10 TB" },
        { x: 72, y: 580, text: "Very" },
        { x: 72, y: 567, text: "large" },
        { x: 118, y: 573, text: "16" },
        { x: 186, y: 573, text: "20 TB" },
      ],
    ]),
  );
  expect(blocks[1]).toMatchObject({
    header: ["Size", "Processors", "Traffic a month"],
    rows: [
      ["Small", "2", "10 TB"],
      ["Very large", "16", "20 TB"],
    ],
  });
});

test("reads two columns of text one after the other", async () => {
  const column = (side: string) =>
    Array.from({ length: 12 }, (_, index) => `line ${index} of the ${side} column, which`);
  const left = column("left");
  const right = column("right");
  const { blocks } = await readPdf(makePdf([[...pdfLines(72, 700, left), ...pdfLines(330, 700, right)]]));
  const text = blocks.map((block) => (block.kind === "table" ? JSON.stringify(block.rows) : block.text)).join(" ");
  expect(text.replace(/\s+/g, " ")).toBe([...left, ...right].join(" "));
});

test("bulleted and numbered items become a list", async () => {
  const { blocks } = await readPdf(
    makePdf([
      [
        ...pdfLines(72, 740, body),
        { x: 72, y: 640, text: "\u0095" },
        { x: 90, y: 640, text: "first item" },
        { x: 72, y: 620, text: "\u0095" },
        { x: 90, y: 620, text: "second item" },
      ],
    ]),
  );
  expect(blocks[1]).toEqual({ kind: "list", text: "• first item\n• second item", page: 1 });
});

test("a list over several pages names the page of its items, and an item may go on after a page break", async () => {
  const { blocks } = await readPdf(
    makePdf([
      [...pdfLines(72, 740, body), ...pdfLines(72, 100, ["1. Pay within a month, unless the"])],
      [
        ...pdfLines(72, 740, ["invoice says otherwise."]),
        ...pdfLines(72, 715, ["2. Keep the receipt."]),
        ...pdfLines(72, 690, ["3. Report faults."]),
      ],
    ]),
  );
  expect(blocks.slice(1)).toEqual([
    { kind: "list", text: "1. Pay within a month, unless the invoice says otherwise.", page: 1 },
    { kind: "list", text: "2. Keep the receipt.\n3. Report faults.", page: 2 },
  ]);
});

test.each([
  ["only images", makePdf([[], []]), "contains only images"],
  ["a password", makePdf([[{ x: 1, y: 1, text: "x" }]], { encrypted: true }), "password-protected"],
  ["damage", Buffer.from("%PDF-1.7\nnothing of a PDF"), "damaged. Save or export it again"],
])("%s is a reason", async (_, pdf, reason) => {
  await expect(readPdf(pdf)).rejects.toThrow(reason);
});

import { expect, test } from "vitest";
import { parseText } from "./text.ts";

test("reads paragraphs, wrapped lines, lists and underlined or numbered headings", () => {
  const { blocks } = parseText(
    [
      "Opening hours\r\n=============\r\n\r\n",
      "The shop is open from Monday to Friday, and on\r\nSaturdays in December as well.\r\n\r\n",
      "2.1 Holidays\r\n\r\n",
      "Closed on:\r\n- Christmas\r\n* Easter\r\n\r\n",
      "Main Street 1\r\n20121 Milano\r\nItaly\r\n\r\n",
      "3 apples cost one euro.",
    ].join(""),
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Opening hours" },
    { kind: "paragraph", text: "The shop is open from Monday to Friday, and on Saturdays in December as well." },
    { kind: "heading", level: 2, text: "2.1 Holidays" },
    { kind: "paragraph", text: "Closed on:" },
    { kind: "list", text: "- Christmas\n* Easter" },
    { kind: "paragraph", text: "Main Street 1\n20121 Milano\nItaly" },
    { kind: "paragraph", text: "3 apples cost one euro." },
  ]);
});

test("a short first line is the title, lines in capitals are headings, and long lines are kept", () => {
  const long = `Day 0: ${"the invoice is due ".repeat(8)}`.trim();
  const { blocks } = parseText(
    `Late payment\n\nWhat happens.\n\nTHE TIMETABLE\n${long}\nDay 5: first reminder\n\nOK, EU.`,
  );
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Late payment" },
    { kind: "paragraph", text: "What happens." },
    { kind: "heading", level: 2, text: "THE TIMETABLE" },
    { kind: "paragraph", text: `${long}\nDay 5: first reminder` },
    { kind: "paragraph", text: "OK, EU." },
  ]);
});

test.each(["VAT: IT01234567890", "IBAN: IT60 X054 2811 1010", "TEL 055 1234567", "P.IVA IT01234567890", "OPEN: 9-18"])(
  "the line %j is content, not a heading",
  (line) => {
    expect(parseText(`Contacts\n\n${line}\nOffice in Rome is open.`).blocks.slice(1)).toEqual([
      { kind: "paragraph", text: `${line}\nOffice in Rome is open.` },
    ]);
  },
);

test.each([
  ...[
    "PRICES 2024",
    "OPENING HOURS:",
    "CHAPTER 10",
    "SECTION 1: SCOPE",
    "FAQ: RETURNS",
    "PLAN: FIBRA 1000",
    "ANNEX II: REGULATION (EU) 2016/679",
    "KAPITEL 3: PREISE 2024",
  ],
  ...["ARTICOLO 5: RECESSO", "PARTIE 2 : GARANTIE", "STEP 1: PAYMENT", "FIBRA 1000", "DSL 100", "ISO 27001:2022"],
  ...["PLAN 500", "ART. 12"],
])("the line %j is a heading", (line) => {
  expect(parseText(`${line}\nSee the table.`).blocks[0]).toEqual({ kind: "heading", level: 2, text: line });
});

test("a text of one line has no title", () => {
  expect(parseText("Just one line").blocks).toEqual([{ kind: "paragraph", text: "Just one line" }]);
});

test("reads any number of headings without blank lines between them", () => {
  const { blocks } = parseText(`${"OPENING HOURS\n".repeat(50_000)}Monday\n======\nFrom nine to five.`);
  expect(blocks).toHaveLength(50_002);
  expect(blocks.slice(-3)).toEqual([
    { kind: "heading", level: 2, text: "OPENING HOURS" },
    { kind: "heading", level: 1, text: "Monday" },
    { kind: "paragraph", text: "From nine to five." },
  ]);
});

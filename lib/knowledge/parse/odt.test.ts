import { expect, test } from "vitest";
import { documentTitle } from "./document.ts";
import { parseOdt } from "./odt.ts";
import { makeOdt } from "./office-fixtures.ts";

test("reads titles, headings, lists, tables and notes", async () => {
  const document = await parseOdt(
    makeOdt(
      '<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes><text:p text:style-name="P1">Handbook</text:p>' +
        '<text:table-of-content><text:p>1 Scope 3</text:p></text:table-of-content><text:h text:outline-level="2">Scope</text:h>' +
        '<text:p>Everyone<text:s text:c="2"/>&amp; all<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Not guests</text:p></text:note-body></text:note>.<text:line-break/>Always.</text:p>' +
        "<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Two</text:p></text:list-item></text:list></text:list-item></text:list>" +
        "<table:table><table:table-column/><table:table-header-rows><table:table-row><table:table-cell><text:p>Plan</text:p></table:table-cell>" +
        '<table:table-cell table:number-columns-spanned="2"><text:p>Price</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows>' +
        '<table:table-row><table:table-cell><text:p>Basic</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>10</text:p></table:table-cell></table:table-row></table:table>',
    ),
  );
  expect(documentTitle(document, "a.odt")).toBe("Handbook");
  expect(document.blocks).toEqual([
    { kind: "heading", level: 1, text: "Handbook" },
    { kind: "heading", level: 2, text: "Scope" },
    { kind: "paragraph", text: "Everyone & all (Not guests).\nAlways." },
    { kind: "list", text: "- One\n  - Two" },
    { kind: "table", header: ["Plan", "Price", "Price"], rows: [["Basic", "10", "10"]] },
  ]);
});

test("a cell that is repeated a billion times is read a few times", async () => {
  const cell = '<table:table-cell table:number-columns-repeated="1000000000"><text:p>x</text:p></table:table-cell>';
  const { blocks } = await parseOdt(makeOdt(`<table:table><table:table-row>${cell}</table:table-row></table:table>`));
  expect(blocks[0]).toMatchObject({ kind: "table", rows: [Array(50).fill("x")] });
});

test("reads the title property, and reports a file without text", async () => {
  expect((await parseOdt(makeOdt("", { title: "Return &amp; refund policy" }))).title).toBe("Return & refund policy");
  await expect(parseOdt(makeOdt("").subarray(0, 90))).rejects.toThrow();
});

test("leaves out hidden text, and says so", async () => {
  const display = (value: string) => `<style:text-properties text:display="${value}"/>`;
  const { blocks, notice } = await parseOdt(
    makeOdt(
      '<text:p>Costs 10 €<text:span text:style-name="Hidden">, ours: 4 €</text:span>.</text:p>' +
        '<text:p text:style-name="Derived">internal</text:p><text:p text:style-name="Shown">Shown again.</text:p>' +
        '<text:section text:display="none"><text:p>secret</text:p></text:section>' +
        "<table:table><table:table-row><table:table-cell><text:p>Basic</text:p></table:table-cell><table:table-cell><text:p>10</text:p></table:table-cell></table:table-row>" +
        '<table:table-row table:visibility="collapse"><table:table-cell><text:p>cost</text:p></table:table-cell><table:table-cell><text:p>4</text:p></table:table-cell></table:table-row></table:table>',
      {
        styles:
          `<style:style style:name="Hidden">${display("none")}</style:style>` +
          '<style:style style:name="Derived" style:parent-style-name="Hidden"/>' +
          `<style:style style:name="Shown" style:parent-style-name="Hidden">${display("true")}</style:style>`,
      },
    ),
  );
  expect(blocks).toEqual([
    { kind: "paragraph", text: "Costs 10 €." },
    { kind: "paragraph", text: "Shown again." },
    { kind: "table", header: [], rows: [["Basic", "10"]] },
  ]);
  expect(notice).toContain("Hidden text was left out.");
});

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
  const style = (family: string, name: string, rest: string, base = "") =>
    `<style:style style:family="${family}" style:name="${name}" style:parent-style-name="${base}">${rest}</style:style>`;
  const row = (cell: string, attributes = "") =>
    `<table:table-row ${attributes}><table:table-cell><text:p>${cell}</text:p></table:table-cell><table:table-cell><text:p>10</text:p></table:table-cell></table:table-row>`;
  const { blocks, notice } = await parseOdt(
    makeOdt(
      '<text:p text:style-name="Same">Costs 10 €<text:span text:style-name="Same">, ours: 4 €</text:span>.</text:p>' +
        '<text:p text:style-name="P2">internal <text:span text:style-name="T2">Shown again.</text:span></text:p>' +
        '<text:section text:display="none"><text:p>secret</text:p></text:section>' +
        '<text:section text:display="condition" text:is-hidden="true"><text:p>secret</text:p></text:section>' +
        '<text:p><text:hidden-paragraph text:is-hidden="true"/>secret</text:p>' +
        '<text:p><text:hidden-paragraph text:is-hidden="false"/><text:hidden-paragraph text:is-hidden="true"/>secret</text:p>' +
        '<text:p>Beside a box.<draw:frame><draw:text-box><text:p><text:hidden-paragraph text:is-hidden="true"/>secret</text:p></draw:text-box></draw:frame></text:p>' +
        '<text:p>A price<text:span text:style-name="Same"><text:note><text:note-body><text:p>secret</text:p></text:note-body></text:note></text:span></text:p>' +
        '<text:p><text:hidden-text text:is-hidden="true">secret</text:hidden-text>Shown.</text:p>' +
        `<table:table>${row("Basic")}${row("secret", 'table:visibility="collapse"')}</table:table>`,
      {
        styles:
          style("text", "Same", display("none")) +
          style("paragraph", "P2", "", "Internal") +
          style("text", "T2", display("true")),
        commonStyles: style("paragraph", "Same", "") + style("paragraph", "Internal", display("none")),
      },
    ),
  );
  expect(blocks).toEqual([
    { kind: "paragraph", text: "Costs 10 €." },
    { kind: "paragraph", text: "Shown again." },
    { kind: "paragraph", text: "Beside a box." },
    { kind: "paragraph", text: "A price" },
    { kind: "paragraph", text: "Shown." },
    { kind: "table", header: [], rows: [["Basic", "10"]] },
  ]);
  expect(notice).toContain("Hidden text was left out.");
});

const textProperties = (name: string, properties: string, base = "") =>
  `<style:style style:family="text" style:name="${name}" style:parent-style-name="${base}"><style:text-properties ${properties}/></style:style>`;
const span = (style: string, content: string) => `<text:span text:style-name="${style}">${content}</text:span>`;

test("leaves out struck-out text, and says so", async () => {
  const styles =
    textProperties("Old", 'style:text-line-through-style="solid" style:text-line-through-type="single"') +
    textProperties("Older", "", "Old") +
    textProperties("Type", 'style:text-line-through-type="double"') +
    textProperties("New", 'style:text-line-through-style="none" style:text-line-through-type="none"');
  const { blocks, notice } = await parseOdt(
    makeOdt(
      `<text:p>Costs ${span("Old", "€59 ")}${span("Older", `€49 ${span("New", "€39")}`)}${span("Type", "€29")}</text:p>`,
      {
        styles,
      },
    ),
  );
  expect(blocks).toEqual([{ kind: "paragraph", text: "Costs €39" }]);
  expect(notice).toContain("Struck-out text was left out.");
});

test("keeps superscripts apart from the numbers before them", async () => {
  const styles =
    textProperties("Raised", 'style:text-position="super 58%"') +
    textProperties("Up", 'style:text-position="33% 58%"') +
    textProperties("Down", 'style:text-position="-8% 58%"') +
    textProperties("Level", 'style:text-position="0% 100%"');
  const { blocks } = await parseOdt(
    makeOdt(
      `<text:p>€49${span("Raised", "1")} a month, 10${span("Up", "6")} m${span("Up", "2")}, 1${span("Up", "1")}/${span("Down", "2")}, 5${span("Level", "9")}, €49${span("Raised", span("Old", "99"))}</text:p>`,
      { styles },
    ),
  );
  expect(blocks).toEqual([{ kind: "paragraph", text: "€49^1 a month, 10^6 m2, 1 1/2, 59, €49.99" }]);
});

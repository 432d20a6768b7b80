import { makeZip } from "../../../lib/knowledge/parse/fixtures.ts";
import { makeEpub, makeOdt, makePptx, slideShape } from "../../../lib/knowledge/parse/office-fixtures.ts";
import { cheap, type HostileFile, hostileFiles, text } from "./hostile-file.ts";

const MB = 1024 * 1024;

/** Presentations, OpenDocument texts, books and Rich Text: zip bombs, false sizes, loops, entities and deep nesting. */
export const office: HostileFile[] = hostileFiles({
  "bomb.pptx": cheap(() => makePptx([{ shapes: slideShape(["a".repeat(100 * MB)]) }])),
  "claims-few-bytes.pptx": cheap(() =>
    makeZip([
      { name: "ppt/presentation.xml", data: "<p:presentation/>" },
      { name: "ppt/slides/slide1.xml", data: Buffer.alloc(80 * MB, "<a:p/>"), claimedSize: 10 },
    ]),
  ),
  "deep-groups.pptx": cheap(() => makePptx([{ shapes: "<p:grpSp>".repeat(100_000) }])),
  "slide-that-is-its-own-notes.pptx": cheap(() =>
    makeZip([
      { name: "ppt/presentation.xml", data: `<p:presentation>${'<p:sldId r:id="a"/>'.repeat(2_000)}</p:presentation>` },
      { name: "ppt/_rels/presentation.xml.rels", data: relation("slide", "slides/a.xml") },
      { name: "ppt/slides/a.xml", data: `<p:sld>${slideShape(["Granite"], "body")}</p:sld>` },
      { name: "ppt/slides/_rels/a.xml.rels", data: relation("notesSlide", "../../ppt/slides/a.xml") },
    ]),
  ),
  "entities.pptx": cheap(() =>
    makePptx([], [{ name: "ppt/slides/b.xml", data: '<!DOCTYPE a [<!ENTITY b "c">]><a/>' }]),
  ),
  "cut-off.pptx": cheap(() => makePptx([{ shapes: slideShape(["Granite"]) }]).subarray(0, 600)),
  "wide-table.odt": cheap(() => {
    const cell =
      '<table:table-cell table:number-columns-repeated="1000000000"><text:p>Granite</text:p></table:table-cell>';
    return makeOdt(`<table:table><table:table-row>${cell.repeat(2_000)}</table:table-row></table:table>`);
  }),
  "deep-lists.odt": cheap(() => makeOdt("<text:list><text:list-item>".repeat(50_000))),
  "bomb.odt": cheap(() => makeOdt(`<text:p>${" ".repeat(100 * MB)}</text:p>`)),
  "cut-off.odt": cheap(() => makeOdt("<text:p>Granite</text:p>").subarray(0, 300)),
  "same-chapter-forever.epub": cheap(() => {
    const places = '<itemref idref="a"/>'.repeat(100_000);
    return book(`<manifest><item id="a" href="a.xhtml"/></manifest><spine>${places}</spine>`);
  }),
  "leaves-the-archive.epub": cheap(() =>
    book('<manifest><item id="a" href="../../../../etc/passwd"/></manifest><spine><itemref idref="a"/></spine>'),
  ),
  "open-tags.epub": cheap(() => makeEpub(["<a ".repeat(2 * MB)])),
  "deep-divs.epub": cheap(() => makeEpub(["<div>".repeat(100_000)])),
  "entities.epub": cheap(() => makeEpub(['<!DOCTYPE a [<!ENTITY b "c">]><p>&b;</p>'])),
  "deep-groups.rtf": cheap(() => text(`{\\rtf1 ${"{".repeat(100_000)}Granite${"}".repeat(100_000)}}`)),
  "open-groups.rtf": cheap(() => text(`{\\rtf1 ${"{\\b ".repeat(100_000)}`)),
  "binary-without-end.rtf": cheap(() => text("{\\rtf1 \\bin2147483647 Granite}")),
  "many-cells.rtf": cheap(() => text(`{\\rtf1 \\trowd ${"\\cellx1 \\intbl x\\cell ".repeat(100_000)}\\row}`)),
  "many-styles.rtf": cheap(() => text(`{\\rtf1 {\\stylesheet${"{\\s1 heading 1;}".repeat(100_000)}}Granite\\par}`)),
});

function relation(type: string, target: string): string {
  return `<Relationships><Relationship Id="a" Type="relationships/${type}" Target="${target}"/></Relationships>`;
}

function book(content: string): Buffer {
  return makeZip([
    { name: "META-INF/container.xml", data: '<container><rootfile full-path="a.opf"/></container>' },
    { name: "a.opf", data: `<package>${content}</package>` },
    { name: "a.xhtml", data: `<p>${"Granite weathers slowly. ".repeat(400)}</p>` },
  ]);
}

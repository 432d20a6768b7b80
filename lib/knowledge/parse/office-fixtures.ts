import { makeZip, type ZipFixture } from "./fixtures.ts";

/** Small generated office files and books for parser tests. */

interface SlideFixture {
  /** The XML of its shapes. */
  shapes: string;
  notes?: string;
  isHidden?: boolean;
  /** The texts of the diagrams that frames name by `r:dm`: d0, d1 and so on. */
  diagrams?: string[];
}

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A presentation whose slides are stored in the opposite order. */
export function makePptx(slides: SlideFixture[], extra: ZipFixture[] = []): Buffer {
  const numbered = slides.map((slide, index) => ({ ...slide, number: slides.length - index }));
  return makeZip([
    {
      name: "ppt/presentation.xml",
      data: `<p:presentation><p:sldIdLst>${numbered.map(({ number }) => `<p:sldId id="${number}" r:id="r${number}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    },
    {
      name: "ppt/_rels/presentation.xml.rels",
      data: relations(numbered.map(({ number }) => [`r${number}`, "slide", `slides/slide${number}.xml`])),
    },
    ...numbered.flatMap(({ number, shapes, notes = "", isHidden, diagrams = [] }) => [
      {
        name: `ppt/slides/slide${number}.xml`,
        data: `<?xml version="1.0"?><p:sld${isHidden ? ' show="0"' : ""}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      },
      {
        name: `ppt/slides/_rels/slide${number}.xml.rels`,
        data: relations([
          ["r1", "notesSlide", `../notesSlides/notesSlide${number}.xml`],
          ...diagrams.map((_, index): Relation => [`d${index}`, "diagramData", `../diagrams/data${index}.xml`]),
        ]),
      },
      ...diagrams.map((text, index) => ({
        name: `ppt/diagrams/data${index}.xml`,
        data: `<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`,
      })),
      {
        name: `ppt/notesSlides/notesSlide${number}.xml`,
        data: `<p:notes>${slideShape([notes], "body")}${slideShape([String(number)], "sldNum")}</p:notes>`,
      },
    ]),
    ...extra,
  ]);
}

/** @param lines a leading space for each level of indentation */
export function slideShape(lines: string[], placeholder = "", { top = 900, isHidden = false } = {}): string {
  const paragraphs = lines.map((line) => {
    const level = line.length - line.trimStart().length;
    return `<a:p><a:pPr lvl="${level}"/><a:r><a:rPr b="0"/><a:t>${line.trimStart()}</a:t></a:r></a:p>`;
  });
  const mark = placeholder === "" ? "" : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  const place = `<p:spPr><a:xfrm><a:off x="0" y="${top}"/></a:xfrm></p:spPr>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="1"${isHidden ? ' hidden="1"' : ""}/>${mark}</p:nvSpPr>${place}<p:txBody>${paragraphs.join("")}</p:txBody></p:sp>`;
}

/** An OpenDocument text with this XML in its body. */
export function makeOdt(body: string, { title = "", type = "text", styles = "", commonStyles = "" } = {}): Buffer {
  const automatic = `<style:style style:name="P1" style:parent-style-name="Title"/>${styles}`;
  return makeZip([
    { name: "mimetype", data: `application/vnd.oasis.opendocument.${type}`, isStored: true },
    {
      name: "content.xml",
      data: `<office:document-content><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    },
    { name: "styles.xml", data: `<office:document-styles>${commonStyles}</office:document-styles>` },
    { name: "meta.xml", data: `<office:meta><dc:title>${title}</dc:title></office:meta>` },
  ]);
}

/** A book with these chapters, each the XHTML of a body. `protectedName` is encrypted. */
export function makeEpub(chapters: string[], { title = "A book", protectedName = "" } = {}): Buffer {
  const items = chapters.map((_, index) => `<item id="c${index}" href="text/chapter%20${index}.xhtml"/>`).reverse();
  const places = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
  return makeZip([
    { name: "mimetype", data: "application/epub+zip", isStored: true },
    {
      name: "META-INF/container.xml",
      data: '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    },
    {
      name: "META-INF/encryption.xml",
      data: `<encryption><enc:EncryptedData><enc:CipherReference URI="${protectedName}"/></enc:EncryptedData></encryption>`,
    },
    {
      name: "OEBPS/content.opf",
      data:
        `<package><metadata><meta name="cover" content="x"/><dc:title>${title}</dc:title></metadata><manifest>` +
        `<item id="nav" href="nav.xhtml" properties="nav"/>${items.join("")}</manifest>` +
        `<spine><itemref idref="nav"/>${places.join("")}</spine></package>`,
    },
    { name: "OEBPS/nav.xhtml", data: "<html><body><p>List of contents</p></body></html>" },
    ...chapters.map((body, index) => ({
      name: `OEBPS/text/chapter ${index}.xhtml`,
      data: `<?xml version="1.0"?><!DOCTYPE html><html><head><title/></head><body>${body}</body></html>`,
    })),
  ]);
}

type Relation = [id: string, type: string, target: string];

function relations(list: Relation[]): string {
  const rows = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${rows.join("")}</Relationships>`;
}

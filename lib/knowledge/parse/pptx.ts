import type { Element } from "hast";
import type { Block, ParsedDocument } from "./document.ts";
import { hiddenNotice } from "./hidden-notice.ts";
import { type OfficeParts, type Relation, relationsOf } from "./office-parts.ts";
import { slideShapes, textLines } from "./pptx-shapes.ts";
import { readTitleProperty } from "./title-property.ts";
import { attribute, findElement, findElements, parseXml } from "./xml.ts";
import { readZipEntries } from "./zip.ts";

const PARTS = /^ppt\/(?:presentation\.xml|_rels\/|(?:slides|notesSlides|diagrams)\/)/;
const MAIN_PART = "ppt/presentation.xml";

/** Reads the visible slides of a presentation that `inspectZip` has accepted. The page of a block is its slide's number. */
export async function parsePptx(bytes: Uint8Array): Promise<ParsedDocument> {
  const parts = await readZipEntries(bytes, (name) => PARTS.test(name));
  const slides = slideNames(parts).map((name, index) => readSlide(parts, name, index + 1));
  const blocks = slides.flatMap((slide) => slide?.blocks ?? []);
  const notice = hiddenNotice({
    slide: slides.filter((slide) => slide === null).length,
    shape: slides.reduce((total, slide) => total + (slide?.hiddenShapes ?? 0), 0),
  });
  return { title: await readTitleProperty(bytes, "docProps/core.xml"), blocks, metadata: {}, notice };
}

/** The names of the slides' parts, in the order in which they are shown. */
function slideNames(parts: OfficeParts): string[] {
  const targets = new Map(relationsOf(parts, MAIN_PART).map(({ id, target }) => [id, target]));
  const slides = findElements(parseXml(parts.get(MAIN_PART) ?? ""), "p:sldid");
  return slides.flatMap((slide) => targets.get(attribute(slide, "r:id")) ?? []);
}

/** A slide's title as a heading, its content, and its notes; null for a hidden slide. */
function readSlide(parts: OfficeParts, name: string, page: number): { blocks: Block[]; hiddenShapes: number } | null {
  const slide = findElement(parseXml(parts.get(name) ?? ""), "p:sld");
  if (slide === null) return { blocks: [], hiddenShapes: 0 };
  if (/^(?:0|false)$/.test(attribute(slide, "show"))) return null;
  const relations = relationsOf(parts, name);
  const { title, blocks, hidden } = slideShapes(slide, diagrams(parts, relations));
  const content = [...blocks, ...notes(parts, relations)];
  const isEmpty = title === "" && content.length === 0;
  const heading: Block = { kind: "heading", level: 1, text: title === "" ? `Slide ${page}` : title };
  const paged = isEmpty ? [] : [heading, ...content].map((block) => ({ ...block, page }));
  return { blocks: paged, hiddenShapes: hidden };
}

/** The diagrams of a slide by their relation. */
function diagrams(parts: OfficeParts, relations: Relation[]): Map<string, Element> {
  const targets = relations.filter(({ type }) => type === "diagramData");
  return new Map(targets.map(({ id, target }) => [id, parseXml(parts.get(target) ?? "")]));
}

function notes(parts: OfficeParts, relations: Relation[]): Block[] {
  const pages = relations.filter(({ type }) => type === "notesSlide").map(({ target }) => parts.get(target) ?? "");
  return pages.map(parseXml).flatMap((page): Block[] => {
    const body = findElements(page, "p:sp").filter((shape) => attribute(findElement(shape, "p:ph"), "type") === "body");
    const lines = body.flatMap(textLines).map(({ text }) => text);
    if (lines.length === 0) return [];
    return [
      { kind: "heading", level: 2, text: "Speaker notes" },
      { kind: "paragraph", text: lines.join("\n") },
    ];
  });
}

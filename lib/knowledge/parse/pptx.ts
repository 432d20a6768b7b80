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
  const blocks = slides.flatMap((slide) => slide ?? []);
  const notice = hiddenNotice({ slide: slides.filter((slide) => slide === null).length });
  return { title: await readTitleProperty(bytes, "docProps/core.xml"), blocks, metadata: {}, notice };
}

/** The names of the slides' parts, in the order in which they are shown. */
function slideNames(parts: OfficeParts): string[] {
  const targets = new Map(relationsOf(parts, MAIN_PART).map(({ id, target }) => [id, target]));
  const slides = findElements(parseXml(parts.get(MAIN_PART) ?? ""), "p:sldid");
  return slides.flatMap((slide) => targets.get(attribute(slide, "r:id")) ?? []);
}

/** A slide's title as a heading, its content, and its notes; null for a hidden slide. */
function readSlide(parts: OfficeParts, name: string, page: number): Block[] | null {
  const slide = findElement(parseXml(parts.get(name) ?? ""), "p:sld");
  if (slide === null) return [];
  if (/^(?:0|false)$/.test(attribute(slide, "show"))) return null;
  const relations = relationsOf(parts, name);
  const { title, blocks } = slideShapes(slide);
  const content = [...blocks, ...diagrams(parts, relations), ...notes(parts, relations)];
  if (title === "" && content.length === 0) return [];
  const heading: Block = { kind: "heading", level: 1, text: title === "" ? `Slide ${page}` : title };
  return [heading, ...content].map((block) => ({ ...block, page }));
}

function diagrams(parts: OfficeParts, relations: Relation[]): Block[] {
  return targets(parts, relations, "diagramData").flatMap((diagram): Block[] => {
    const lines = textLines(diagram).map(({ text }) => text);
    return lines.length === 0 ? [] : [{ kind: "list", text: lines.map((line) => `- ${line}`).join("\n") }];
  });
}

function notes(parts: OfficeParts, relations: Relation[]): Block[] {
  return targets(parts, relations, "notesSlide").flatMap((page): Block[] => {
    const body = findElements(page, "p:sp").filter((shape) => attribute(findElement(shape, "p:ph"), "type") === "body");
    const lines = body.flatMap(textLines).map(({ text }) => text);
    if (lines.length === 0) return [];
    return [
      { kind: "heading", level: 2, text: "Speaker notes" },
      { kind: "paragraph", text: lines.join("\n") },
    ];
  });
}

function targets(parts: OfficeParts, relations: Relation[], wanted: string): Element[] {
  return relations.flatMap(({ type, target }) => {
    const xml = type === wanted ? parts.get(target) : undefined;
    return xml === undefined ? [] : [parseXml(xml)];
  });
}

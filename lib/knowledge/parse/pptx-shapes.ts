import type { Element } from "hast";
import type { Block } from "./document.ts";
import { tidyLine } from "./document.ts";
import { runText, type TextRun } from "./hast-superscripts.ts";
import { splitHeader } from "./table.ts";
import { attribute, childElements, findElement, findElements } from "./xml.ts";

/** A paragraph of a shape. `level` is its indentation, from 0. */
interface Line {
  text: string;
  level: number;
}

/** Date, footer, header and slide number. */
const NON_CONTENT_PLACEHOLDERS = new Set(["dt", "ftr", "hdr", "sldnum", "sldNum"]);
const TITLES = new Set(["title", "ctrTitle"]);
const TITLE_CHARACTERS_MAX = 120;

/**
 * Reads the shapes of a slide.
 * @param diagrams by the relation that a frame names
 * @returns the title, which is empty when there is none, the blocks of the other shapes, and how many hidden shapes have text
 */
export function slideShapes(
  slide: Element,
  diagrams: ReadonlyMap<string, Element>,
): { title: string; blocks: Block[]; hidden: number } {
  const found = [...collectShapes(slide)].filter(({ shape }) => !NON_CONTENT_PLACEHOLDERS.has(placeholder(shape)));
  const shapes = found.filter(({ isShown }) => isShown).map(({ shape }) => shape);
  const marked = shapes.find((shape) => TITLES.has(placeholder(shape)) && textLines(shape).length > 0);
  const titled = marked ?? titleLikeShape(shapes);
  const blocksOf = (shape: Element) => shapeBlocks(shape, diagrams.get(diagramId(shape)));
  return {
    title: titled === undefined ? "" : titleOf(titled),
    blocks: shapes.filter((shape) => shape !== titled).flatMap(blocksOf),
    hidden: found.filter(({ shape, isShown }) => !isShown && blocksOf(shape).length > 0).length,
  };
}

/** The paragraphs with text below a node. */
export function textLines(node: Element): Line[] {
  return findElements(node, "a:p").flatMap((paragraph) => {
    const text = runText(runsBelow(paragraph))
      .split("\n")
      .map(tidyLine)
      .filter((line) => line !== "")
      .join("\n");
    return text === "" ? [] : [{ text, level: Number(attribute(findElement(paragraph, "a:ppr"), "lvl")) || 0 }];
  });
}

/**
 * Shapes and frames with tables or diagrams, including those inside groups. A hidden group counts as one shape. Of
 * alternatives, the first counts.
 */
function* collectShapes(node: Element): Generator<{ shape: Element; isShown: boolean }> {
  for (const child of childElements(node)) {
    if (isHidden(child)) yield { shape: child, isShown: false };
    else if (child.tagName === "p:sp" || child.tagName === "p:graphicframe") yield { shape: child, isShown: true };
    else if (child.tagName !== "mc:fallback") yield* collectShapes(child);
  }
}

/** A hidden title still names its slide: people hide it where the design shows none. */
function isHidden(shape: Element): boolean {
  const properties = childElements(shape).flatMap(childElements);
  const hidden = properties.some(
    (each) => each.tagName === "p:cnvpr" && /^(?:1|true)$/.test(attribute(each, "hidden")),
  );
  return hidden && !TITLES.has(placeholder(shape));
}

/** The relation of a frame to the diagram that it shows; empty for other shapes. */
function diagramId(shape: Element): string {
  return attribute(findElement(shape, "dgm:relids"), "r:dm");
}

function placeholder(shape: Element): string {
  return attribute(findElement(shape, "p:ph"), "type");
}

/** Many slides have their title in a plain text box: the topmost shape if its text is short. */
function titleLikeShape(shapes: Element[]): Element | undefined {
  const [first] = shapes
    .filter((shape) => textLines(shape).length > 0)
    .map((shape) => ({ shape, top: Number(attribute(findElement(shape, "a:off"), "y") || Number.NaN) }))
    .filter(({ top }) => Number.isFinite(top))
    .sort((a, b) => a.top - b.top);
  if (first?.shape.tagName !== "p:sp") return undefined;
  return titleOf(first.shape).length <= TITLE_CHARACTERS_MAX ? first.shape : undefined;
}

function titleOf(shape: Element): string {
  return tidyLine(
    textLines(shape)
      .map(({ text }) => text)
      .join(" "),
  );
}

function shapeBlocks(shape: Element, diagram: Element | undefined): Block[] {
  if (diagram !== undefined) return diagramBlocks(diagram);
  const table = findElement(shape, "a:tbl");
  if (table !== null) return tableBlocks(table);
  const lines = textLines(shape);
  if (lines.length === 0) return [];
  const isList = lines.length > 1 && (findElement(shape, "p:ph") !== null || lines.some(({ level }) => level > 0));
  const text = isList
    ? lines.map(({ text, level }) => `${"  ".repeat(Math.min(level, 8))}- ${text.replace(/\n/g, " ")}`)
    : lines.map(({ text }) => text);
  return [{ kind: isList ? "list" : "paragraph", text: text.join("\n") }];
}

function diagramBlocks(diagram: Element): Block[] {
  const lines = textLines(diagram).map(({ text }) => `- ${text}`);
  return lines.length === 0 ? [] : [{ kind: "list", text: lines.join("\n") }];
}

/** A merged cell is repeated in every row that it covers, and in the header in every column. */
function tableBlocks(table: Element): Block[] {
  const grid: string[][] = [];
  for (const row of findElements(table, "a:tr")) {
    const line: string[] = [];
    for (const cell of childElements(row).filter(({ tagName }) => tagName === "a:tc")) {
      const left = grid.length === 0 ? line.at(-1) : "";
      if (attribute(cell, "hmerge") === "1") line.push(left ?? "");
      else if (attribute(cell, "vmerge") === "1") line.push(grid.at(-1)?.[line.length] ?? "");
      else line.push(titleOf(cell));
    }
    grid.push(line);
  }
  const [header = [], ...rows] = grid;
  const isHeaded = attribute(findElement(table, "a:tblpr"), "firstrow") === "1" && rows.length > 0;
  return [{ kind: "table", ...(isHeaded ? { header, rows } : splitHeader(grid)) }];
}

function runsBelow(node: Element, place?: TextRun["place"]): TextRun[] {
  if (node.tagName === "a:br") return [{ text: "\n" }];
  if (node.tagName === "a:t" || node.tagName === "m:t") {
    return [{ text: node.children.map((child) => (child.type === "text" ? child.value : "")).join(""), place }];
  }
  const own = node.tagName === "a:r" || node.tagName === "a:fld" ? placeOf(node) : place;
  return childElements(node).flatMap((child) => runsBelow(child, own));
}

/** The base line of a run is given in thousandths of a percent, or in percent. */
function placeOf(run: Element): TextRun["place"] {
  const baseline = Number.parseFloat(attribute(findElement(run, "a:rpr"), "baseline"));
  if (baseline > 0) return "sup";
  return baseline < 0 ? "sub" : undefined;
}

import type { getDocumentProxy } from "unpdf";

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;
type StructureNode = Awaited<ReturnType<PdfPage["getStructTree"]>>;

/** A text on a page, turned upright. In points, x from the left, y (of the baseline) from the top. */
export interface TextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  font: string;
  /** True when there is white space before it. */
  spaced: boolean;
  /** The heading level from a tagged PDF, 1 for the highest. */
  headingLevel: number | null;
}

/** Rotated text with a smaller share of the page is a note in the margin and is dropped. */
const TURNED_SHARE = 0.1;

/** The text of a page in drawing order, without what a tagged PDF marks as decoration (page numbers, running titles). */
export async function readItems(page: PdfPage): Promise<TextItem[]> {
  const [content, tree] = await Promise.all([
    page.getTextContent({ includeMarkedContent: true }),
    page.getStructTree(),
  ]);
  const levels = new Map<string, number>();
  if (tree !== null) collectHeadings(tree, null, levels);
  const { transform } = page.getViewport({ scale: 1 });
  const marks: { id: string | null; artifact: boolean }[] = [];
  const items: (TextItem & { artifact: boolean; quarter: number })[] = [];
  let spaced = false;
  for (const item of content.items) {
    if (!("str" in item)) {
      if (item.type === "endMarkedContent") marks.pop();
      else marks.push({ id: item.id ?? null, artifact: "tag" in item && item.tag === "Artifact" });
      continue;
    }
    const text = item.str;
    if (text.trim() === "") {
      spaced ||= text !== "" || item.hasEOL;
      continue;
    }
    const level = marks.map(({ id }) => levels.get(id ?? "")).findLast((each) => each !== undefined) ?? null;
    const artifact = marks.some((mark) => mark.artifact);
    const place = turnUpright(multiply(transform, item.transform));
    items.push({
      ...place,
      text,
      width: item.width,
      font: item.fontName,
      spaced: spaced || /^\s/.test(text),
      headingLevel: level,
      artifact,
    });
    spaced = /\s$/.test(text) || item.hasEOL;
  }
  const flowing = items.filter((item) => !item.artifact);
  return byDirection(flowing.length > 0 ? flowing : items);
}

/** Text in the page's main direction, then rotated text unless it is only a note in the margin. */
function byDirection<T extends TextItem & { quarter: number }>(items: T[]): TextItem[] {
  const groups = [...Map.groupBy(items, ({ quarter }) => quarter).values()];
  return groups
    .filter((group) => group.length > items.length * TURNED_SHARE)
    .sort((a, b) => b.length - a.length)
    .flat();
}

function turnUpright([a, b, c, d, x, y]: Matrix): { x: number; y: number; size: number; quarter: number } {
  const quarter = Math.round(Math.atan2(b, a) / (Math.PI / 2)) & 3;
  const size = Math.hypot(c, d);
  if (quarter === 1) return { x: y, y: -x, size, quarter };
  if (quarter === 2) return { x: -x, y: -y, size, quarter };
  if (quarter === 3) return { x: -y, y: x, size, quarter };
  return { x, y, size, quarter };
}

type Matrix = [number, number, number, number, number, number];

function multiply(left: number[], right: number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = left;
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = right;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

function collectHeadings(node: StructureNode, above: number | null, levels: Map<string, number>): void {
  const own = "role" in node ? /^H([1-6]?)$/.exec(node.role) : null;
  const level = own === null ? above : Number(own[1] || 1);
  for (const child of node.children) {
    if ("children" in child) collectHeadings(child, level, levels);
    else if (level !== null && typeof child.id === "string") levels.set(child.id, level);
  }
}

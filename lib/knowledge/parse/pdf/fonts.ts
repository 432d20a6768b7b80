import type { PdfPage, TextItem } from "./items.ts";

const BOLD = /bold|black|heavy|demi|cmbx/i;
/** The drawing operator that selects a font. */
const SET_FONT = 37;

/** Finds out which fonts of a page are bold. @param known adds the results here, by font name */
export async function learnFonts(page: PdfPage, items: TextItem[], known: Map<string, boolean>): Promise<void> {
  const missing = new Set(items.map(({ font }) => font).filter((font) => !known.has(font)));
  if (missing.size === 0) return;
  // the library loads the fonts only when it prepares to draw the page
  const { fnArray, argsArray } = await page.getOperatorList();
  const drawn = new Set(fnArray.flatMap((operator, index) => (operator === SET_FONT ? [argsArray[index]?.[0]] : [])));
  for (const font of missing) {
    const data: unknown = drawn.has(font) ? await new Promise((resolve) => page.commonObjs.get(font, resolve)) : null;
    known.set(font, isBold(data));
  }
}

function isBold(font: unknown): boolean {
  if (typeof font !== "object" || font === null) return false;
  if ("bold" in font && font.bold === true) return true;
  return "name" in font && typeof font.name === "string" && BOLD.test(font.name);
}

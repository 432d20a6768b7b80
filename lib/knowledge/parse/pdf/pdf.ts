import { getDocumentProxy } from "unpdf";
import { type Reading, type RecognisedPage, tidyLine, UnreadableFile } from "../document.ts";
import { PAGES_MAX, recognisePages } from "../recognise.ts";
import { isSensibleTitle } from "../title.ts";
import { blocksFromRuns } from "./blocks.ts";
import { drawPages } from "./draw.ts";
import { learnFonts } from "./fonts.ts";
import { type PdfDocument, readItems } from "./items.ts";
import { dropRunningLines } from "./running-lines.ts";
import { type Run, runsFromItems } from "./runs.ts";

const ONLY_IMAGES =
  "The PDF contains only images of pages, and text recognition is turned off on this server. Recognise the text with another program and add the new file.";

/**
 * Reads the text of a PDF, including one with copy protection only, and recognises the text of pages without any.
 * @param known pages that an earlier attempt recognised
 * @throws {UnreadableFile}
 */
export async function* parsePdf(
  bytes: Uint8Array,
  languages: readonly string[],
  known: readonly RecognisedPage[] = [],
): Reading {
  const pdf = await openPdf(bytes);
  const pages: Run[][] = [];
  const bold = new Map<string, boolean>();
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const items = await readItems(page);
    await learnFonts(page, items, bold);
    pages.push(runsFromItems(items, number, bold));
    page.cleanup();
  }
  const title = await readTitle(pdf);
  await pdf.loadingTask.destroy();
  const written = blocksFromRuns(dropRunningLines(pages));
  const empty = pages.flatMap((runs, index) => (runs.length === 0 ? [index + 1] : []));
  if (languages.length === 0) {
    if (empty.length === pages.length) throw new UnreadableFile(ONLY_IMAGES);
    return { title, blocks: written, metadata: {} };
  }
  if (empty.length === 0) return { title, blocks: written, metadata: {} };
  const isKnown = new Set(known.map(({ page }) => page));
  const unread = empty.slice(0, PAGES_MAX).filter((page) => !isKnown.has(page));
  const recognised = yield* recognisePages(drawPages(bytes, unread), empty.length, languages, known);
  const blocks = [...written, ...recognised.blocks].sort((a, b) => (a.page ?? 0) - (b.page ?? 0));
  if (blocks.length === 0)
    throw new UnreadableFile("Text recognition found no text in the PDF. Add a sharper scan, or the text itself.");
  return { title, blocks, metadata: {}, notice: recognised.notice };
}

async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // the library takes ownership of the array and refuses a Buffer, so it gets a copy; `maxImageSize` avoids decoding images
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      maxImageSize: 1,
      disableFontFace: true,
      useSystemFonts: false,
    });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new UnreadableFile("The PDF is password-protected. Remove the password and add it again.", {
        cause: error,
      });
    }
    throw new UnreadableFile("The PDF is damaged. Save or export it again and add the new file.", { cause: error });
  }
}

async function readTitle(pdf: PdfDocument): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title: unknown = "Title" in info ? info.Title : null;
  const line = typeof title === "string" ? tidyLine(title) : "";
  return isSensibleTitle(line) ? line : null;
}

import { getDocumentProxy } from "unpdf";
import { type ParsedDocument, tidyLine, UnreadableFile } from "../document.ts";
import { isSensibleTitle } from "../title.ts";
import { blocksFromRuns } from "./blocks.ts";
import { learnFonts } from "./fonts.ts";
import { dropFurniture } from "./furniture.ts";
import { type PdfDocument, readItems } from "./items.ts";
import { type Run, runsFromItems } from "./runs.ts";

/** Reads the text of a PDF, including one with copy protection only. @throws {UnreadableFile} */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
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
  if (pages.every((runs) => runs.length === 0)) {
    throw new UnreadableFile(
      "The PDF contains only images of pages and no text. Run text recognition (OCR) on it and add it again.",
    );
  }
  const title = await readTitle(pdf);
  await pdf.loadingTask.destroy();
  return { title, blocks: blocksFromRuns(dropFurniture(pages)), metadata: {} };
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
    throw new UnreadableFile("The PDF is damaged and cannot be read.", { cause: error });
  }
}

async function readTitle(pdf: PdfDocument): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title: unknown = "Title" in info ? info.Title : null;
  const line = typeof title === "string" ? tidyLine(title) : "";
  return isSensibleTitle(line) ? line : null;
}

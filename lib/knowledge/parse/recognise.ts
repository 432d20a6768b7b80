import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { Worker as Reader } from "tesseract.js";
import { type Block, type ReadingProgress, type RecognisedPage, UnreadableFile } from "./document.ts";
import { parseText } from "./text.ts";

/** Languages without a word list would be named on standard error for every file. */
const QUIET = "debug_file /dev/null";

export interface PageImage {
  /** From 1. */
  page: number;
  png: Buffer;
}

/** Pixels of an image that is recognised. An A4 page at 300 dots per inch has 9 million. */
export const PIXELS_MAX = 10_000_000;
/** Pages of a document that are recognised. */
export const PAGES_MAX = 200;
/** In percent, as Tesseract measures it. Below it, many words are wrong. */
const CONFIDENCE_MIN = 60;
/** Processor time. A dense page needs 5 s, and a picture without text may need minutes. */
const PAGE_CPU_MS = 15_000;
const SKIPPED_MAX = 10;
const TOO_SLOW = "Text recognition takes too long on this file. Add a scan with fewer pictures.";
/** The folder of a language's package with the weights that are small and exact. */
const WEIGHTS = "4.0.0_best_int";

/**
 * Recognises the text of images. The weights are on this machine, and nothing is fetched or written.
 * @param total how many pages of the document need it; at most 200 are read
 * @param known pages that an earlier attempt recognised, which are not among the images
 * @throws {UnreadableFile} when the weights of a language are not installed
 */
export async function* recognisePages(
  images: AsyncIterable<PageImage>,
  total: number,
  languages: readonly string[],
  known: readonly RecognisedPage[] = [],
): AsyncGenerator<ReadingProgress, { blocks: Block[]; notice: string | undefined }> {
  const wanted = Math.min(total, PAGES_MAX);
  const pages = [...known];
  yield { done: pages.length, total: wanted };
  if (pages.length < wanted) {
    let reader = await startReader(languages);
    try {
      for await (const { page, png } of images) {
        const read = await readPage(reader, png);
        const recognised = { page, ...(read ?? { text: null, confidence: 0 }) };
        pages.push(recognised);
        if (skippedOf(pages) > SKIPPED_MAX) throw new UnreadableFile(TOO_SLOW);
        if (pages.length === wanted) break;
        if (!read) {
          await reader.terminate();
          reader = await startReader(languages);
        }
        yield { done: pages.length, total: wanted, recognised };
      }
    } finally {
      await reader.terminate();
    }
  }
  return { blocks: pages.flatMap(blocksOf), notice: noticeOf(pages, total) };
}

function blocksOf({ page, text }: RecognisedPage): Block[] {
  return text === null ? [] : parseText(text).blocks.map((block) => ({ ...block, page }));
}

function skippedOf(pages: RecognisedPage[]): number {
  return pages.filter(({ text }) => text === null).length;
}

/** Warnings about recognition quality. */
function noticeOf(pages: RecognisedPage[], total: number): string | undefined {
  const skipped = skippedOf(pages);
  const characters = pages.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  const confidence = pages.reduce((sum, page) => sum + page.confidence * (page.text?.length ?? 0), 0);
  const notices = [
    ...(total > PAGES_MAX ? [`Only the first ${PAGES_MAX} of ${total} scanned pages were read.`] : []),
    ...(skipped > 0 ? [`Pages that took too long to read were left out: ${skipped}.`] : []),
    ...(confidence < CONFIDENCE_MIN * characters ? [unsure(confidence / characters)] : []),
  ];
  return notices.length === 0 ? undefined : notices.join(" ");
}

/** @returns null when the page takes too long; the reader must be replaced then */
async function readPage(reader: Reader, png: Buffer): Promise<{ text: string; confidence: number } | null> {
  const end = cpuMs() + PAGE_CPU_MS;
  const timeout = Promise.withResolvers<null>();
  const timer = setInterval(() => cpuMs() > end && timeout.resolve(null), 200);
  try {
    const result = await Promise.race([reader.recognize(png), timeout.promise]);
    return result && { text: result.data.text.trim(), confidence: result.data.confidence };
  } finally {
    clearInterval(timer);
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function unsure(confidence: number): string {
  const percent = Math.round(confidence);
  return `Text recognition was unsure about this document (confidence ${percent} %). Check its chunks, or add a sharper scan.`;
}

async function startReader([first = "", ...others]: readonly string[]): Promise<Reader> {
  const { createWorker, OEM } = await import("tesseract.js");
  const loaded = [first];
  const options = { langPath: path.dirname(weightsOf(first)), cacheMethod: "none", errorHandler: () => {} };
  const reader = await createWorker(loaded, OEM.LSTM_ONLY, options, QUIET);
  // the library loads all languages from one folder, but each is a package of its own
  for (const language of others) {
    await reader.FS("writeFile", [`./${language}.traineddata`, gunzipSync(readFileSync(weightsOf(language)))]);
    loaded.push(language);
  }
  await reader.reinitialize([first, ...others].join("+"), OEM.LSTM_ONLY, QUIET);
  return reader;
}

function weightsOf(language: string): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    const folder = path.dirname(resolve(`@tesseract.js-data/${language}/package.json`));
    return path.join(folder, WEIGHTS, `${language}.traineddata.gz`);
  } catch (error) {
    throw new UnreadableFile(
      `Text recognition has no data for the language "${language}". Ask the operator to install it or to change OCR_LANGUAGES.`,
      { cause: error },
    );
  }
}

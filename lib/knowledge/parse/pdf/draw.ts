import { createIsomorphicCanvasFactory, getDocumentProxy, renderPageAsImage } from "unpdf";
import { type PageImage, PIXELS_MAX } from "../recognise.ts";

/** Text recognition works best at 200 to 300 dots per inch; a PDF has 72 units per inch. */
const SCALE = 200 / 72;
/** Larger images on a page are left out. */
const IMAGE_PIXELS_MAX = 40_000_000;

/** Draws these pages of a PDF as PNG images, one when it is asked for. */
export async function* drawPages(bytes: Uint8Array, numbers: number[]): AsyncGenerator<PageImage> {
  const canvasImport = () => import("@napi-rs/canvas");
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    maxImageSize: IMAGE_PIXELS_MAX,
    disableFontFace: true,
    useSystemFonts: false,
    CanvasFactory: await createIsomorphicCanvasFactory(canvasImport),
  });
  try {
    for (const page of numbers) {
      const drawn = await pdf.getPage(page);
      const { width, height } = drawn.getViewport({ scale: 1 });
      const scale = Math.min(SCALE, Math.sqrt(PIXELS_MAX / (width * height)));
      yield { page, png: Buffer.from(await renderPageAsImage(pdf, page, { canvasImport, scale })) };
      drawn.cleanup();
    }
  } finally {
    await pdf.loadingTask.destroy();
  }
}

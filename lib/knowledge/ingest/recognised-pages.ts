import { z } from "zod";
import { env } from "../../env.ts";
import type { Job } from "../../jobs/job.ts";
import { keepPayload } from "../../jobs/queue.ts";
import type { RecognisedPage } from "../parse/document.ts";

/** A page takes about 3 s to recognise, and each time all pages so far are written. */
const PAGES_PER_WRITE = 5;

const recognisedPages = z.object({
  languages: z.array(z.string()),
  pages: z.array(z.object({ page: z.number(), text: z.string().nullable(), confidence: z.number() })),
});

/** The pages that earlier attempts of a job recognised, in the current languages. */
export function pagesKeptBy({ payload }: Job): RecognisedPage[] {
  const { data } = recognisedPages.safeParse(payload.recognised);
  return data && data.languages.join() === env().ocrLanguages.join() ? data.pages : [];
}

/**
 * Returns a function that collects recognised pages and writes them to the job, until the job finishes. It tells whether
 * all pages so far are written.
 */
export function pageKeeper(job: Job): (page: RecognisedPage) => Promise<boolean> {
  const pages = pagesKeptBy(job);
  return async (page) => {
    pages.push(page);
    if (pages.length % PAGES_PER_WRITE > 0) return false;
    await keepPayload(job, { recognised: { languages: env().ocrLanguages, pages } });
    return true;
  };
}

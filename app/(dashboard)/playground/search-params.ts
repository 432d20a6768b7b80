import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** What to prefill. */
const playgroundParams = {
  /** A question. */
  q: parseAsText,
  /** The id of a logged request. */
  run: parseAsText,
  /** The id of a test question. */
  test: parseAsText,
  /** The company of a link to a run. Named as `COMPANY_PARAM`. */
  company: parseAsText,
};

export const loadPlaygroundParams = createLoader(playgroundParams);

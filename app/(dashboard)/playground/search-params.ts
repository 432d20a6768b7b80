import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** What to prefill. */
const playgroundParams = {
  /** A question. */
  q: parseAsText,
  /** The id of a logged request. */
  run: parseAsText,
};

export const loadPlaygroundParams = createLoader(playgroundParams);

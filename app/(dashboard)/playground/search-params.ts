import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** What the playground begins with. */
const playgroundParams = {
  /** A question. */
  q: parseAsText,
  /** The id of a request of the log. */
  run: parseAsText,
};

export const loadPlaygroundParams = createLoader(playgroundParams);

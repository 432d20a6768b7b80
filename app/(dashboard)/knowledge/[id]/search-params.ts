import { createLoader } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";

/** Which chunks of the source are shown, and which of them is looked for. */
const sourceParams = {
  page: parseAsPage.withDefault(1),
  /** A chunk's id. */
  chunk: parseAsText,
};

export const loadSourceParams = createLoader(sourceParams);

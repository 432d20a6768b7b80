import { createLoader } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";

/** The page of chunks, and the chunk to highlight. */
const sourceParams = {
  page: parseAsPage.withDefault(1),
  /** A chunk's id. */
  chunk: parseAsText,
};

export const loadSourceParams = createLoader(sourceParams);

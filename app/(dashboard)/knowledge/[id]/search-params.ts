import { createLoader, createSerializer, parseAsBoolean } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";

/** The page of chunks, the chunk to highlight, and the search within the source. */
export const sourceParams = {
  page: parseAsPage.withDefault(1),
  /** A chunk's id. */
  chunk: parseAsText,
  /** Words that the shown chunks contain. */
  find: parseAsText.withDefault(""),
  /** Whether the reader came to change the text. */
  edit: parseAsBoolean.withDefault(false),
  /** The question whose answer the reader came to change. */
  question: parseAsText.withDefault(""),
};

export const loadSourceParams = createLoader(sourceParams);
export const sourceQueryString = createSerializer(sourceParams);

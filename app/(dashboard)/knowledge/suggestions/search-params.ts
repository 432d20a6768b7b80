import { createLoader, createSerializer, parseAsBoolean } from "nuqs/server";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";

const suggestionsParams = {
  /** Whether to list the decided suggestions instead of the open ones. */
  decided: parseAsBoolean.withDefault(false),
  page: parseAsPage.withDefault(1),
};

export const loadSuggestionsParams = createLoader(suggestionsParams);
export const suggestionsQueryString = createSerializer(suggestionsParams);

/** The question to prefill, and the request that nothing answered. */
export const loadNewParams = createLoader({ question: parseAsText.withDefault(""), request: parseAsText });

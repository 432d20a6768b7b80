import { createLoader, parseAsBoolean } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** Whether to list the decided suggestions instead of the open ones. */
export const loadSuggestionsParams = createLoader({ decided: parseAsBoolean.withDefault(false) });

/** The question to prefill, and the request that nothing answered. */
export const loadNewParams = createLoader({ question: parseAsText.withDefault(""), request: parseAsText });

import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** A question to prefill, on the tab for questions. */
export const loadAddParams = createLoader({ question: parseAsText.withDefault("") });

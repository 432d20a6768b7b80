import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** The one-time code, set by the link in the terminal. */
const setupParams = { code: parseAsText.withDefault("") };

export const loadSetupParams = createLoader(setupParams);

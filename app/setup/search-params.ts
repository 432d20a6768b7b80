import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** The one-time code, when the terminal's link was followed. */
const setupParams = { code: parseAsText.withDefault("") };

export const loadSetupParams = createLoader(setupParams);

import { createLoader, parseAsStringLiteral } from "nuqs/server";
import { GAP_VIEWS } from "@/lib/usage/gaps/views.ts";

export const loadGapParams = createLoader({ view: parseAsStringLiteral(GAP_VIEWS).withDefault("open") });

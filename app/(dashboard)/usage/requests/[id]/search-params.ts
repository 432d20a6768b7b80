import { createLoader } from "nuqs/server";
import { parseAsText } from "@/lib/http/search-params.ts";

/** The company of a link, so that a member of several companies reaches the right one. Named as `COMPANY_PARAM`. */
export const loadReceiptParams = createLoader({ company: parseAsText });

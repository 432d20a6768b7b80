import { createLoader, createSerializer, parseAsArrayOf, parseAsBoolean, parseAsStringLiteral } from "nuqs/server";
import { SOURCE_TYPES } from "@/lib/db/column-values.ts";
import { parseAsPage, parseAsText } from "@/lib/http/search-params.ts";
import { SOURCE_SORTS, SOURCE_STATUSES, VERIFICATIONS } from "@/lib/knowledge/values.ts";

/** The state of the list in the URL. Missing parameters have their default. */
export const listParams = {
  q: parseAsText.withDefault(""),
  type: parseAsStringLiteral(SOURCE_TYPES),
  audience: parseAsText,
  category: parseAsText,
  path: parseAsArrayOf(parseAsText, "/").withDefault([]),
  status: parseAsStringLiteral(SOURCE_STATUSES),
  verification: parseAsStringLiteral(VERIFICATIONS),
  sort: parseAsStringLiteral(SOURCE_SORTS).withDefault("updated"),
  desc: parseAsBoolean.withDefault(true),
  page: parseAsPage.withDefault(1),
};

export const loadListParams = createLoader(listParams);
export const listQueryString = createSerializer(listParams);

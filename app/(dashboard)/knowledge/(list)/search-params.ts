import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { SOURCE_SORTS, SOURCE_STATUSES, SOURCE_TYPES } from "@/lib/knowledge/values.ts";

/** The list's state in the address; what is not there is the default. */
export const listParams = {
  q: parseAsString.withDefault(""),
  type: parseAsStringLiteral(SOURCE_TYPES),
  audience: parseAsString,
  category: parseAsString,
  path: parseAsArrayOf(parseAsString, "/").withDefault([]),
  status: parseAsStringLiteral(SOURCE_STATUSES),
  sort: parseAsStringLiteral(SOURCE_SORTS).withDefault("updated"),
  desc: parseAsBoolean.withDefault(true),
  page: parseAsInteger.withDefault(1),
};

export const loadListParams = createLoader(listParams);
export const listAddress = createSerializer(listParams);

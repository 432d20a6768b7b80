import { z } from "zod";
import { SOURCE_TYPES } from "../../db/column-values.ts";
import { MAX_PAGE } from "../../page.ts";
import { textInput } from "../../text-input.ts";
import { SOURCE_SORTS, SOURCE_STATUSES, VERIFICATIONS } from "../values.ts";

/** The page's URL holds these values, and a URL has at most 16 kB. */
const ADDRESS_MAX = 16 * 1024;
const label = textInput().max(ADDRESS_MAX);

/** Which sources of a company to list. */
export const sourceFilter = z.object({
  /** Words to find in title, identifier or content. */
  search: textInput().trim().max(200).default(""),
  type: z.enum(SOURCE_TYPES).nullable().default(null),
  audience: label.nullable().default(null),
  category: label.nullable().default(null),
  /** Segments that the path starts with. */
  path: z.array(label).max(ADDRESS_MAX).default([]),
  /** Null: all statuses except deleted. */
  status: z.enum(SOURCE_STATUSES).nullable().default(null),
  /** Only questions whose answer is verified, or was until its verification expired. */
  verification: z.enum(VERIFICATIONS).nullable().default(null),
});

export type SourceFilter = z.output<typeof sourceFilter>;

/** Which sources of a company to list, and in which order. */
export const browseQuery = sourceFilter.extend({
  sort: z.enum(SOURCE_SORTS).default("updated"),
  descending: z.boolean().default(true),
  /** From 1. A number past the last page shows the last page. */
  page: z.int().min(1).max(MAX_PAGE).default(1),
});

export type BrowseQuery = z.output<typeof browseQuery>;

import { z } from "zod";
import { SOURCE_TYPES } from "./schema.ts";

export const SOURCE_STATUSES = ["ready", "processing", "failed", "deleted"] as const;
export const SOURCE_SORTS = ["updated", "title", "chunks"] as const;
export const SOURCES_PER_PAGE = 50;
export const CHUNKS_PER_PAGE = 50;

/** `processing` and `failed` may serve an older version meanwhile; `deleted` can still be brought back. */
export type SourceStatus = (typeof SOURCE_STATUSES)[number];
export type SourceSort = (typeof SOURCE_SORTS)[number];

/** Which sources of a company, in which order. Pure, as the address of the list holds it. */
export const browseQuery = z.object({
  /** Words of title, identifier or content. */
  search: z.string().trim().max(200).default(""),
  type: z.enum(SOURCE_TYPES).nullable().default(null),
  audience: z.string().nullable().default(null),
  category: z.string().nullable().default(null),
  /** What the path begins with. */
  path: z.array(z.string()).default([]),
  /** Null: all but the deleted ones. */
  status: z.enum(SOURCE_STATUSES).nullable().default(null),
  sort: z.enum(SOURCE_SORTS).default("updated"),
  descending: z.boolean().default(true),
  /** From 1; a page behind the last one is the last one. */
  page: z.int().min(1).default(1),
});

export type BrowseQuery = z.output<typeof browseQuery>;

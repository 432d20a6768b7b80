/** How sources are listed, for schemas and the browser alike. Pure. */
export const SOURCE_STATUSES = ["ready", "processing", "failed", "deleted"] as const;
export const SOURCE_SORTS = ["updated", "title", "chunks"] as const;
export const SOURCES_PER_PAGE = 50;
export const CHUNKS_PER_PAGE = 50;
/** Of a source, the newest ones. */
export const VERSIONS_SHOWN = 20;

/** Characters of a caller's own identifier. */
export const SOURCE_ID_MAX = 512;

/** `processing` and `failed` may serve an older version meanwhile; `deleted` can still be brought back. */
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

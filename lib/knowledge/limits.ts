/** What may come in at once. Pure. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024;
/** A whole knowledge base with its files. */
export const EXPORT_BYTES_MAX = 2 * 1024 * 1024 * 1024;
/** Plain text of 50 MB has about half as many. */
export const CHUNKS_PER_SOURCE_MAX = 300_000;
/** Of all sources of a company together: generous, so that one company cannot fill the disk of all. */
export const CHUNKS_PER_COMPANY_MAX = 2_000_000;
/** Names in one request that asks about files before they are sent. */
export const UPLOADS_CHECKED_AT_ONCE = 1_000;

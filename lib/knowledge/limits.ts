/** What may come in at once. Pure. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024;
/** A whole knowledge base with its files. */
export const EXPORT_BYTES_MAX = 2 * 1024 * 1024 * 1024;

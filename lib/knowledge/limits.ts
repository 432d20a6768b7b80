/** The largest accepted file. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024;
/** The largest import of a whole knowledge base with its files. */
export const EXPORT_BYTES_MAX = 2 * 1024 * 1024 * 1024;
/** The largest content of a source that a form sends, as JSON. The framework refuses actions with more than 1 MiB. */
export const FORM_CONTENT_BYTES_MAX = 1_000_000;
/** Plain text of 50 MB has about half as many chunks. */
export const CHUNKS_PER_SOURCE_MAX = 300_000;
/** All chunks of a question. Each has the whole answer, so a long one takes up as much as its square. */
export const QUESTION_BYTES_MAX = 40_000_000;
/** Over all sources of a company. High enough for normal use, but prevents one company from filling the shared disk. */
export const CHUNKS_PER_COMPANY_MAX = 2_000_000;
/** Rows of a file of questions, which one request imports. */
export const QUESTION_ROWS_MAX = 100_000;
/** File names that one request can check before the upload. */
export const UPLOADS_CHECKED_AT_ONCE = 1_000;
/** Sources that a member can select and change together. The ids of more would not fit in a request of a form. */
export const SOURCES_CHANGED_AT_ONCE = 20_000;
/** Answers that a member can verify together: more than one page of the list. */
export const VERIFIED_AT_ONCE = 200;

/** Sources that one event of the audit log names. Each transaction of a bulk change writes its event again. */
export const SOURCES_PER_EVENT = 2_000;

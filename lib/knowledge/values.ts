/** Values of the list of sources, shared by schemas and the browser. */
export const SOURCE_STATUSES = ["ready", "processing", "failed", "deleted"] as const;
export const SOURCE_SORTS = ["updated", "title", "chunks"] as const;
/** `due`: the verification has expired, so the answer needs a review. */
export const VERIFICATIONS = ["verified", "due"] as const;
export type Verification = (typeof VERIFICATIONS)[number];
export const SOURCES_PER_PAGE = 50;
export const CHUNKS_PER_PAGE = 50;
/** The newest versions of a source that its page shows. */
export const VERSIONS_SHOWN = 20;

/** The newest replaced versions of a source, whose content can be restored. */
export const VERSIONS_RESTORABLE = 3;

/** How long a deleted source can be restored. */
export const UNDO_HOURS = 24;

/** Maximum length of a caller's identifier. */
export const SOURCE_ID_MAX = 512;

/** In `processing` and `failed`, an older version may still be served. `deleted` can still be restored. */
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** Whether audiences replace those of a source, or are added or removed. */
export const AUDIENCE_CHANGES = ["replace", "add", "remove"] as const;
export type AudienceChange = (typeof AUDIENCE_CHANGES)[number];

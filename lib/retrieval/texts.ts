import { cachedByOrdinal } from "./ordinal-cache.ts";
import { readTexts } from "./queries.ts";

/** A few megabytes. */
const REMEMBERED_MAX = 100_000;

/** A hash of each chunk's text, by ordinal, which shows equal texts before any is read. */
export const textsOf = cachedByOrdinal(readTexts, REMEMBERED_MAX);

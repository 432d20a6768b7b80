/** The languages with a stop list, a stemmer and language detection, as ISO 639-1 codes. Pure. */
export const LANGUAGES = ["en", "it", "es", "de", "fr", "pt", "nl"] as const;

export type Language = (typeof LANGUAGES)[number];

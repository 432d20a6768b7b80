/** Words that say of a document that another one has taken its place. */
const OUTDATED =
  /(?<!\p{L})(?:no longer (?:valid|in force|applies|apply)|superseded|obsolete|outdated|non più (?:valid[oaie]|in vigore)|superat[oaie]|ya no (?:es válid[oa]|está vigente)|nicht mehr gültig|überholt|n['’]est plus (?:valable|en vigueur))(?!\p{L})/iu;
const REPLACED =
  /(?<!\p{L})(?:replaced by|sostituit[oaie] da|sustituid[oa] por|ersetzt durch|remplacée? par)(?!\p{L})/iu;
/** Other things are replaced too: the sentence must be about a document, or have a year. */
const DOCUMENT =
  /(?:19|20)\d\d(?!\p{N})|document|version|edition|edizione|versión|edición|fassung|ausgabe|édition|policy|politica|política|richtlinie|regolamento|terms|conditions|condizioni|condiciones|bedingungen|prices|prezzi|precios|preise|price list|preisliste|listino|tariff|guide|\bpage\b/iu;
const SENTENCE_END = /(?<=[.!?])\s+|\n+/u;
const YEAR = /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/gu;
/** In characters: a document says at its beginning that it is outdated. */
export const START_LENGTH = 300;

/** A chunk, or only the beginning of its content. */
interface Dated {
  title: string;
  /** The headings above the chunk, and other labels. */
  path: readonly string[];
  content: string;
}

/** What a chunk says about the version of its document. */
export interface VersionClues {
  /** The title without years. */
  stem: string;
  /** The latest year in the title; 0 without one. */
  year: number;
  saysOutdated: boolean;
}

export function versionClues({ title, path, content }: Dated): VersionClues {
  const start = [title, ...path, content.slice(0, START_LENGTH)].join("\n");
  // a question may be about anything that is no longer valid
  const statements = start.split(SENTENCE_END).filter((sentence) => !sentence.trimEnd().endsWith("?"));
  return {
    stem: title.toLowerCase().replaceAll(YEAR, "").trim(),
    year: Math.max(0, ...yearsIn(title)),
    saysOutdated: statements.some(isOutdated),
  };
}

function isOutdated(sentence: string): boolean {
  return OUTDATED.test(sentence) || (REPLACED.test(sentence) && DOCUMENT.test(sentence));
}

/**
 * Indexes of the older versions: those that say so, and those whose title differs from another's only by an earlier
 * year, unless the question asks for that year.
 */
export function olderVersions(clues: readonly VersionClues[], question = ""): ReadonlySet<number> {
  const asked = new Set(yearsIn(question));
  const latest = new Map<string, number>();
  for (const { stem, year } of clues) latest.set(stem, Math.max(year, latest.get(stem) ?? 0));
  const older = clues.flatMap(({ stem, year, saysOutdated }, index) => {
    const isOlder = year > 0 && year < (latest.get(stem) ?? 0);
    return (isOlder || saysOutdated) && !asked.has(year) ? [index] : [];
  });
  return new Set(older);
}

/** Indexes of the chunks of older versions. */
export function outdatedChunks(chunks: readonly Dated[]): ReadonlySet<number> {
  return olderVersions(chunks.map(versionClues));
}

function yearsIn(text: string): number[] {
  return (text.match(YEAR) ?? []).map(Number);
}

import { saysOutdated } from "./says-outdated.ts";

const YEAR = /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/gu;

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
  return {
    stem: title.toLowerCase().replaceAll(YEAR, "").trim(),
    year: Math.max(0, ...yearsIn(title)),
    saysOutdated: saysOutdated([title, ...path], content),
  };
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

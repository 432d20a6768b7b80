import type { ContextChunk } from "../context-chunk.ts";

/** Words that say of a document that another one has taken its place. */
const OUTDATED =
  /(?<!\p{L})(?:no longer (?:valid|in force|applies|apply)|superseded|obsolete|outdated|replaced by|non più (?:valid[oaie]|in vigore)|superat[oaie]|sostituit[oaie] da|ya no (?:es válid[oa]|está vigente)|sustituid[oa] por|nicht mehr gültig|überholt|ersetzt durch|n'est plus (?:valable|en vigueur)|remplacée? par)(?!\p{L})/iu;
const YEAR = /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/gu;
/** In characters: a document says at its beginning that it is outdated. */
const START_LENGTH = 300;

/**
 * Indexes of the chunks of older versions: those that say so, and those whose title differs from another's only by an
 * earlier year.
 */
export function outdatedChunks(chunks: readonly ContextChunk[]): ReadonlySet<number> {
  const latest = new Map<string, number>();
  for (const { title } of chunks) latest.set(stemOf(title), Math.max(yearOf(title), latest.get(stemOf(title)) ?? 0));
  const outdated = chunks.flatMap(({ title, path, content }, index) => {
    const start = [title, ...path, content.slice(0, START_LENGTH)].join("\n");
    const isOlder = yearOf(title) > 0 && yearOf(title) < (latest.get(stemOf(title)) ?? 0);
    return isOlder || OUTDATED.test(start) ? [index] : [];
  });
  return new Set(outdated);
}

function stemOf(title: string): string {
  return title.toLowerCase().replaceAll(YEAR, "").trim();
}

function yearOf(title: string): number {
  return Math.max(0, ...(title.match(YEAR) ?? []).map(Number));
}

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { chunks, sources } from "../db/schema/index.ts";
import { intArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { detectLanguage, LANGUAGES } from "../language/language.ts";
import { contentWords } from "../language/tokens.ts";
import { termsOfWords } from "./analyze.ts";
import { isLive, ordinalOf, POSTING_BYTES, type PostingList } from "./postings.ts";
import { readBlocks, readPostings } from "./read-index.ts";

/** A search that matches more chunks than this is too broad to be useful. */
const CHUNKS_MAX = 5_000;

const ofSource = and(eq(sources.companyId, chunks.companyId), eq(sources.id, chunks.sourceId));

interface WordSearch {
  companyId: CompanyId;
  text: string;
  /** A condition on `sources`; undefined: all sources. */
  visible: SQL | undefined;
  chunksMax?: number;
}

/** Ids of the sources that have all words of a text in one chunk. Uses the stems of the keyword index, so misspellings do not match. */
export async function sourcesWithWords(
  tx: Transaction,
  { companyId, text, visible, chunksMax = CHUNKS_MAX }: WordSearch,
): Promise<string[]> {
  const blocks = (await readBlocks(tx, companyId)).map((row) => ({
    ...row,
    language: LANGUAGES.find((language) => language === row.language) ?? null,
  }));
  const words = contentWords(text, detectLanguage(text));
  const languages = new Set(blocks.map(({ language }) => language));
  const wantedBy = new Map([...languages].map((language) => [language, termsOfWords(words, language)]));
  const terms = new Set([...wantedBy.values()].flatMap((wanted) => [...wanted]));
  if (terms.size === 0) return [];
  const lists = Map.groupBy(await readPostings(tx, { companyId, terms: [...terms] }), ({ block }) => block);
  const ordinals = blocks.flatMap(({ block, language, live }) => {
    const wanted = wantedBy.get(language) ?? new Set();
    const slots = slotsWithAll(lists.get(block) ?? [], wanted).filter((slot) => isLive(live, slot));
    return slots.map((slot) => ordinalOf(block, slot));
  });
  if (ordinals.length === 0) return [];
  // a limit before the condition would hide visible sources behind invisible ones
  const among = visible ? ordinals : ordinals.slice(0, chunksMax);
  const matching = and(eq(chunks.companyId, companyId), sql`${chunks.ordinal} = any(${intArray(among)})`);
  const found = tx.selectDistinct({ id: chunks.sourceId }).from(chunks);
  const rows = visible
    ? await found.innerJoin(sources, ofSource).where(and(matching, visible)).limit(chunksMax)
    : await found.where(matching);
  return rows.map(({ id }) => id);
}

/** The slots of a block that are in the posting list of every term. */
function slotsWithAll(lists: PostingList[], terms: ReadonlySet<number>): number[] {
  const counts = new Map<number, number>();
  for (const { term, postings } of lists) {
    if (!terms.has(term)) continue;
    for (let i = 0; i < postings.length; i += POSTING_BYTES) {
      const slot = (postings[i] ?? 0) | ((postings[i + 1] ?? 0) << 8);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
    }
  }
  return terms.size === 0 ? [] : [...counts].flatMap(([slot, count]) => (count === terms.size ? slot : []));
}

import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { lexicalBlocks } from "../db/schema/index.ts";
import { companyLiteral, hexOf, intsLiteral, textLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Language } from "../language/language.ts";
import { emptyLive, ordinalOf, type PostingList, SLOTS_PER_BLOCK } from "./postings.ts";
import type { PreparedChunk } from "./prepared-chunk.ts";

/** The code of a language in the index; `und` is ISO 639's for "undetermined". */
const UNDETERMINED = "und";

export function languageCode(language: Language | null): string {
  return language ?? UNDETERMINED;
}

/**
 * Gives each chunk the next slot in a block of its language. The caller must hold `lockSearchIndex`.
 * @returns ordinals by chunk id
 */
export async function allocateSlots(
  tx: Transaction,
  companyId: CompanyId,
  given: PreparedChunk[],
): Promise<Map<string, number>> {
  const slots = new Map<string, number>();
  for (const [language, group] of Map.groupBy(given, (chunk) => languageCode(chunk.language))) {
    let waiting = group;
    while (waiting.length > 0) {
      const { block, used } = await openBlock(tx, companyId, language);
      const fitting = waiting.slice(0, SLOTS_PER_BLOCK - used);
      for (const [index, { id }] of fitting.entries()) slots.set(id, ordinalOf(block, used + index));
      await tx
        .update(lexicalBlocks)
        .set({ used: used + fitting.length })
        .where(and(eq(lexicalBlocks.companyId, companyId), eq(lexicalBlocks.block, block)));
      waiting = waiting.slice(fitting.length);
    }
  }
  return slots;
}

async function openBlock(tx: Transaction, companyId: CompanyId, language: string) {
  const { block, used } = lexicalBlocks;
  const [open] = await tx
    .select({ block, used })
    .from(lexicalBlocks)
    .where(and(eq(lexicalBlocks.companyId, companyId), eq(lexicalBlocks.language, language), lt(used, SLOTS_PER_BLOCK)))
    .orderBy(desc(block))
    .limit(1);
  if (open) return open;
  const [last] = await tx
    .select({ block })
    .from(lexicalBlocks)
    .where(eq(lexicalBlocks.companyId, companyId))
    .orderBy(desc(block))
    .limit(1);
  const next = (last?.block ?? -1) + 1;
  await tx.insert(lexicalBlocks).values({ companyId, block: next, language, live: emptyLive() });
  return { block: next, used: 0 };
}

/**
 * A statement without parameters that appends postings to the stored lists.
 * @param lists sorted by term and block, so that two workers cannot deadlock
 */
export function appendPostingsStatement(companyId: CompanyId, lists: PostingList[]): SQL {
  const hex = lists.map(({ postings }) => hexOf(postings)).join(",");
  return sql`
    insert into ragstone.lexical_postings as stored (company_id, term, block, postings)
    select ${companyLiteral(companyId)}, term, block, decode(postings, 'hex')
    from unnest(${intsLiteral(lists.map(({ term }) => term))}, ${intsLiteral(lists.map(({ block }) => block))},
      ${textLiteral(`{${hex}}`)}::text[]) as added (term, block, postings)
    on conflict (company_id, term, block) do update set postings = stored.postings || excluded.postings`;
}

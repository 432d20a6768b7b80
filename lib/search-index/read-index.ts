import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { lexicalBlocks } from "../db/schema/index.ts";
import { companyLiteral, intsLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { PostingList } from "./postings.ts";

/** The company's lexical blocks, by ascending number. */
export async function readBlocks(tx: Transaction, companyId: CompanyId) {
  return tx
    .select()
    .from(lexicalBlocks)
    .where(eq(lexicalBlocks.companyId, companyLiteral(companyId)))
    .orderBy(lexicalBlocks.block);
}

/** The posting lists of these terms. */
export async function readPostings(tx: Transaction, { companyId, terms }: { companyId: CompanyId; terms: number[] }) {
  // base64, because the driver receives bytea as hex, which is longer
  const rows = await tx.execute<{ term: number; block: number; postings: string }>(sql`
    select term, block, encode(postings, 'base64') as postings from ragstone.lexical_postings
    where company_id = ${companyLiteral(companyId)} and term = any(${intsLiteral(terms)})`);
  return rows.map(
    ({ term, block, postings }): PostingList => ({ term, block, postings: Buffer.from(postings, "base64") }),
  );
}

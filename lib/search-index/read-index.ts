import { eq, type SQL, sql } from "drizzle-orm";
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

interface Postings {
  companyId: CompanyId;
  terms: number[];
}

export interface StoredPostings {
  term: number;
  block: number;
  postings: string;
}

/** The posting lists of these terms. */
export async function readPostings(tx: Transaction, wanted: Postings): Promise<PostingList[]> {
  const rows = await tx.execute<StoredPostings & Record<string, unknown>>(postingsQuery(wanted));
  return rows.map(toPostingList);
}

/** A statement without parameters. */
export function postingsQuery({ companyId, terms }: Postings): SQL {
  // base64, because the driver receives bytea as hex, which is longer
  return sql`select term, block, encode(postings, 'base64') as postings from ragstone.lexical_postings
    where company_id = ${companyLiteral(companyId)} and term = any(${intsLiteral(terms)})`;
}

/** Copies the bytes, because a small buffer is part of a large pool, which a cached list would keep in memory. */
export function toPostingList({ term, block, postings }: StoredPostings): PostingList {
  return { term, block, postings: new Uint8Array(Buffer.from(postings, "base64")) };
}

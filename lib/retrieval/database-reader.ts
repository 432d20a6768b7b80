import { STEPS } from "../ai/round-vector.ts";
import type { Transaction } from "../db/client.ts";
import { vectorLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { VersionClues } from "../language/versions.ts";
import { eligibleChunks } from "../search-index/eligible.ts";
import { readBlocks, readPostings } from "../search-index/read-index.ts";
import type { QuestionEmbedding } from "./embed.ts";
import type { IndexReader } from "./index-reader.ts";
import { cachedByOrdinal } from "./ordinal-cache.ts";
import { cosinesOf, readChunks, readTexts, readVersionClues } from "./queries.ts";
import { nearest, sizesOf } from "./vector-search.ts";

/** A few megabytes each. */
const REMEMBERED_MAX = { texts: 100_000, clues: 50_000 };

const textsOf = cachedByOrdinal(readTexts, REMEMBERED_MAX.texts);
const cluesOf = cachedByOrdinal<VersionClues>(readVersionClues, REMEMBERED_MAX.clues);

/** Reads the company's index within a snapshot of the database. */
export async function databaseReader(tx: Transaction, companyId: CompanyId): Promise<IndexReader> {
  const rows = await readBlocks(tx, companyId);
  const asVector = ({ model, vector }: QuestionEmbedding) => ({
    companyId,
    model,
    vector: vectorLiteral(vector, STEPS.question),
  });
  return {
    sizes: sizesOf(rows),
    eligible: (filters) => eligibleChunks(tx, { companyId, filters, rows }),
    postings: (terms) => readPostings(tx, { companyId, terms }),
    nearest: ({ query, count, eligible, sizes }) => nearest(tx, { ...asVector(query), count, eligible, ...sizes }),
    cosines: (query, ordinals) => cosinesOf(tx, { ...asVector(query), ordinals }),
    texts: (ordinals) => textsOf(tx, { companyId, ordinals }),
    versionClues: (ordinals) => cluesOf(tx, { companyId, ordinals }),
    chunks: (ordinals) => readChunks(tx, { companyId, ordinals }),
  };
}

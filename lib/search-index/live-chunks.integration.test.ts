import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { chunkSizesOf } from "./live-chunks.ts";

const SOURCES = 100;
const CHUNKS_PER_SOURCE = 20;

const { db } = testDatabase();

/** @returns the versions of the company's new sources */
async function addSourcesWithChunks(tx: Transaction, companyId: CompanyId): Promise<string[]> {
  await tx.execute(sql`insert into ragstone.sources (company_id, source_id, latest_version_id)
    select ${companyId}, 'source ' || i, gen_random_uuid() from generate_series(1, ${SOURCES}::int) i`);
  const versions = await tx.execute<{ id: string }>(sql`insert into ragstone.source_versions
    (company_id, id, source_id, number, state, source_type, title, audience, body, content_hash)
    select company_id, latest_version_id, id, 1, 'building', 'document', source_id, '{staff}', '{"kind":"text"}', ''
    from ragstone.sources where company_id = ${companyId} returning id`);
  await tx.execute(sql`insert into ragstone.chunks
    (company_id, id, source_id, ordinal, content, embedding_text, word_length, gram_length, piece_count, raw_word_count)
    select company_id, gen_random_uuid(), id, row_number() over () - 1, '', '', 1, 1, 1, 1
    from ragstone.sources, generate_series(1, ${CHUNKS_PER_SOURCE}::int) where company_id = ${companyId}`);
  await tx.execute(sql`insert into ragstone.version_chunks (company_id, version_id, position, chunk_id)
    select company_id, latest_version_id, ordinal, chunks.id
    from ragstone.chunks join ragstone.sources using (company_id)
    where company_id = ${companyId} and sources.id = chunks.source_id`);
  return versions.map(({ id }) => id);
}

/** The rows of both tables that this transaction has read so far. */
async function rowsRead(tx: Transaction): Promise<number> {
  const [row] = await tx.execute<{ rows: number }>(sql`
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as rows
    from (values ('ragstone.chunks'::regclass), ('ragstone.version_chunks')) as tables (id)
    cross join lateral (select id as oid union all select indexrelid from pg_index where indrelid = id) as read`);
  return row?.rows ?? 0;
}

class RollBack extends Error {}

test("a new company's chunks are read a few times at most, even when the planner has counted only another company", async () => {
  const [known, unknown] = [await newCompany(), await newCompany()];
  let ordinals = new Set<number>();
  let rows = Number.NaN;
  const rolledBack = db.transaction(async (tx) => {
    await tx.execute(sql`truncate ragstone.chunks, ragstone.version_chunks cascade`);
    await addSourcesWithChunks(tx, known.companyId);
    await tx.execute(sql`analyze ragstone.chunks, ragstone.version_chunks`);
    const versionIds = await addSourcesWithChunks(tx, unknown.companyId);
    const before = await rowsRead(tx);
    const read = await chunkSizesOf(tx, unknown.companyId, versionIds.slice(0, 10));
    ordinals = new Set(read.map(({ ordinal }) => ordinal));
    rows = (await rowsRead(tx)) - before;
    throw new RollBack();
  });
  await expect(rolledBack).rejects.toThrow(RollBack);
  expect(ordinals.size).toBe(10 * CHUNKS_PER_SOURCE);
  expect(rows).toBeLessThanOrEqual(4 * SOURCES * CHUNKS_PER_SOURCE);
});

import { sql } from "drizzle-orm";
import { connection, type Executor, type Transaction } from "../client.ts";
import { migrateWithin } from "../migrate.ts";
import { questionKey } from "../question-key.ts";
import { embeddingModels, meta } from "../schema/index.ts";
import { simpleQuery } from "../tenant.ts";
import { createVectorIndexes } from "./models.ts";
import { continueSequences, countRows, type Table } from "./tables.ts";

/** Tables whose rows are independent of others: a change while they are read may be in the backup or not. */
const INDEPENDENT_TABLES = new Set([
  "api_keys",
  "audit_log",
  "jobs",
  "knowledge_calls_daily",
  "meta",
  "query_log",
  "question_gaps",
  "returned_chunks",
  "suggestions",
  "usage_daily",
]);

/** Tables whose rows change with those of other tables, or independently: only added and deleted rows matter. */
const COUNTED_TABLES = new Set(["embeddings", "users"]);

/** Runs all statements on one snapshot of the database, during which the embedded database serves no other client. */
export function withSnapshot<Result>(work: (db: Executor) => Promise<Result>): Promise<Result> {
  return connection().db.transaction(work, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/** The current position in the database's transaction history, for `changedSince`. */
export async function currentMark(): Promise<string> {
  const [row] = await connection().db.execute<{ mark: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as mark`,
  );
  if (!row) throw new Error("the database has no snapshot");
  return row.mark;
}

/** Whether any table that must be consistent with others has changed since `mark`, when it had the rows in `counts`. */
export async function changedSince(mark: string, tables: Table[], counts: Map<string, number>): Promise<boolean> {
  for (const table of tables.filter(({ name }) => !INDEPENDENT_TABLES.has(name))) {
    let rows = 0;
    // an insert or update leaves a row with a later transaction, a delete leaves one row less
    for await (const batch of countRows(table, mark)) {
      if (batch.later > 0 && !COUNTED_TABLES.has(table.name)) return true;
      rows += batch.rows;
    }
    if (rows !== counts.get(table.name)) return true;
  }
  return false;
}

/** Keys of originals. */
export interface OriginalKeys {
  /** Of all versions, including replaced ones that can be restored. */
  all: Set<string>;
  /** Of current and latest versions, without which a source is incomplete. */
  needed: Set<string>;
}

/** The time for a version depends on its text, and the embedded database serves no one else during a statement. */
const VERSIONS_AT_ONCE = 500;

/** The keys of the originals that versions refer to, in a database of any release. */
export async function versionOriginals(db: Executor = connection().db): Promise<OriginalKeys> {
  const keys: OriginalKeys = { all: new Set(), needed: new Set() };
  let after = sql``;
  for (;;) {
    const rows = await db.execute<{ companyId: string; id: string; key: string | null; needed: boolean }>(sql`
      with page as (
        select company_id, id, source_id, state <> 'superseded' as live,
          case when body ->> 'kind' = 'file' then body ->> 'storageKey' end as key
        from ragstone.source_versions ${after} order by company_id, id limit ${VERSIONS_AT_ONCE})
      select p.company_id as "companyId", p.id, p.key,
        coalesce(p.live and p.id in (s.current_version_id, s.latest_version_id), false) as needed
      from page p join ragstone.sources s on s.company_id = p.company_id and s.id = p.source_id
      order by p.company_id, p.id`);
    for (const { key, needed } of rows) {
      if (key !== null) keys.all.add(key);
      if (key !== null && needed) keys.needed.add(key);
    }
    const last = rows.at(-1);
    if (!last || rows.length < VERSIONS_AT_ONCE) return keys;
    after = sql`where (company_id, id) > (${last.companyId}::uuid, ${last.id}::uuid)`;
  }
}

/** Whether the database has no schema yet, or neither companies nor users. */
export async function isDatabaseEmpty(db: Executor = connection().db): Promise<boolean> {
  const [schema] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('ragstone.companies') is not null as exists`,
  );
  if (!schema?.exists) return true;
  const [row] = await db.execute<{ empty: boolean }>(sql`
    select not exists (select from ragstone.companies) and not exists (select from ragstone.users) as empty`);
  return row?.empty === true;
}

/**
 * Replaces the schema of an empty database by that of older or equal `migrations`, lets `load` insert its rows, then
 * migrates them to this release, all in one transaction.
 * @returns the number of companies; null, with nothing changed, when the database is not empty
 */
export async function fillDatabase(
  migrations: string[],
  load: (tx: Transaction) => Promise<void>,
): Promise<number | null> {
  return connection().db.transaction(async (tx) => {
    if (!(await isDatabaseEmpty(tx))) return null;
    // the schema may be of any release
    await simpleQuery(tx, "drop schema if exists ragstone cascade");
    await migrateWithin(tx, migrations);
    await load(tx);
    await continueSequences(tx);
    await migrateWithin(tx);
    // an index in memory may belong to the previous database
    await tx.execute(
      sql`update ragstone.companies set content_stamp = gen_random_uuid(), index_generation = gen_random_uuid()`,
    );
    await tx.execute(
      sql`update ragstone.source_versions set question_key = ${questionKey(sql`title`)} where question_key is not null`,
    );
    for (const model of await tx.select().from(embeddingModels)) await createVectorIndexes(tx, model);
    // the next start is not the first one, so it must not create a sample company
    await tx
      .insert(meta)
      .values({ key: "sample", value: { complete: true } })
      .onConflictDoNothing();
    const [row] = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ragstone.companies`);
    return row?.count ?? 0;
  });
}

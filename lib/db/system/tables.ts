import { type SQL, sql } from "drizzle-orm";
import { connection, type Executor } from "../client.ts";
import { requireRow } from "../require-row.ts";

export interface Table {
  name: string;
  /** Name with schema, quoted: `"ragstone"."name"`. */
  quoted: string;
  /** Columns of the primary key, quoted and separated by commas. */
  key: string;
}

/**
 * Tables that are not backed up: applied migrations are in the header, a restored backup must not sign anybody in, rows of
 * workers describe live processes, and held uploads expire within the hour.
 */
const EXCLUDED_TABLES = ["migrations", "sessions", "workers", "held_uploads"];

/** Every table of the product according to the catalogue, each after the tables that it refers to. */
export async function listTables(db: Executor = connection().db): Promise<Table[]> {
  const tables = await db.execute<{ name: string; quoted: string; key: string; refers: string[] }>(sql`
    select c.relname as name, format('%I.%I', 'ragstone', c.relname) as quoted,
      (select string_agg(quote_ident(a.attname), ', ' order by k.place)
        from pg_index i, unnest(i.indkey) with ordinality as k(attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select coalesce(json_agg(distinct r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid and not r.relispartition) as refers
    from pg_class c
    where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const data = tables.filter(({ name }) => !EXCLUDED_TABLES.includes(name));
  const sorted: typeof data = [];
  while (sorted.length < data.length) {
    const known = new Set(sorted.map(({ name }) => name));
    const next = data.filter(({ name, refers }) => !known.has(name) && refers.every((each) => known.has(each)));
    if (next.length === 0) throw new Error("the foreign keys of the tables form a cycle");
    sorted.push(...next);
  }
  return sorted.map(({ name, quoted, key }) => ({ name, quoted, key }));
}

/** Reads the rows of a table as JSON texts in batches, in the order of the primary key. */
export async function* readTable(table: Table, db: Executor = connection().db): AsyncGenerator<string[]> {
  const [quoted, key] = [sql.raw(table.quoted), sql.raw(table.key)];
  let limit = FIRST_BATCH_ROWS;
  let last: string | undefined;
  for (;;) {
    const rows = await db.execute<{ line: string }>(sql`
      select row_to_json(t)::text as line from ${quoted} t ${rowsAfter(table, last)} order by ${key} limit ${limit}`);
    const lines = rows.map(({ line }) => line);
    if (lines.length > 0) yield lines;
    if (lines.length < limit) return;
    last = lines.at(-1);
    limit = nextLimit(limit, lines);
  }
}

/** Few enough that the embedded database serves other clients in between. */
const COUNTED_ROWS = 1_000;

/**
 * Counts the rows of a table in batches, and those that the transaction `mark` or a later one inserted or updated. A
 * row that did not change in the meantime is counted once.
 */
export async function* countRows(table: Table, mark: string): AsyncGenerator<{ rows: number; later: number }> {
  const [quoted, key] = [sql.raw(table.quoted), sql.raw(table.key)];
  let last: string | null | undefined;
  do {
    const batch = requireRow(
      await connection().db.execute<{ rows: number; later: number; last: string | null }>(sql`
      with batch as (
        select xmin::text::bigint as writer, ${key}
        from ${quoted} t ${rowsAfter(table, last)} order by ${key} limit ${COUNTED_ROWS})
      select count(*)::int as rows, (count(*) filter (where writer >= ${mark}::bigint))::int as later,
        (select row_to_json(k)::text from (
          select ${key} from batch order by ${key} offset ${COUNTED_ROWS - 1} limit 1) k) as last
      from batch`),
    );
    yield { rows: batch.rows, later: batch.later };
    last = batch.last;
  } while (last);
}

/** The condition of rows after a given one, which is JSON with the primary key; none without a row. */
function rowsAfter({ quoted, key }: Table, last: string | null | undefined): SQL {
  if (!last) return sql``;
  const columns = sql.raw(key);
  return sql`where (${columns}) > (
    select ${columns} from jsonb_populate_record(null::${sql.raw(quoted)}, ${last}::text::jsonb))`;
}

/** Inserts rows of JSON into a table, unchanged. */
export async function writeTable(db: Executor, quoted: string, lines: string[]): Promise<void> {
  const table = sql.raw(quoted);
  const rows = `[${lines.join(",")}]`;
  await db.execute(sql`
    insert into ${table} overriding system value
    select * from jsonb_populate_recordset(null::${table}, ${rows}::text::jsonb)`);
}

/** Makes sequences continue after the highest number in use. */
export async function continueSequences(db: Executor): Promise<void> {
  const columns = await db.execute<{ quoted: string; column: string; sequence: string }>(sql`
    select format('%I.%I', 'ragstone', c.relname) as quoted, quote_ident(a.attname) as column,
      pg_get_serial_sequence(format('%I.%I', 'ragstone', c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relnamespace = 'ragstone'::regnamespace`);
  for (const { quoted, column, sequence } of columns) {
    await db.execute(sql`
      select setval(${sequence}, (select coalesce(max(${sql.raw(column)}), 0) + 1 from ${sql.raw(quoted)}), false)`);
  }
}

/** Small enough that the embedded database, which runs one statement at a time, serves other clients in between. */
const FIRST_BATCH_ROWS = 8;
const BATCH_ROWS_MAX = 500;
const BATCH_BYTES = 1024 * 1024;

function nextLimit(limit: number, lines: string[]): number {
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  const fitting = Math.floor((lines.length * BATCH_BYTES) / Math.max(1, bytes));
  return Math.max(1, Math.min(fitting, limit * 4, BATCH_ROWS_MAX));
}

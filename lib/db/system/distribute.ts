import { sql } from "drizzle-orm";
import { connection, type Executor } from "../client.ts";
import { PLACEMENTS, type Placement } from "../distribution.ts";
import { requireRow } from "../require-row.ts";
import { simpleQuery } from "../tenant.ts";

/** What decides whether the database can be distributed. */
export interface DistributionState {
  embedded: boolean;
  /** Whether the extension Citus is installed in the database. */
  hasCitus: boolean;
  isDistributed: boolean;
  hasCompanies: boolean;
}

export async function distributionState(db: Executor = connection().db): Promise<DistributionState> {
  const found = requireRow(
    await db.execute<Omit<DistributionState, "embedded" | "isDistributed">>(sql`
    select exists (select from pg_extension where extname = 'citus') as "hasCitus",
      exists (select from ragstone.companies) as "hasCompanies"`),
  );
  return { ...found, embedded: connection().embedded, isDistributed: await isDistributed(db) };
}

async function isDistributed(db: Executor): Promise<boolean> {
  const [catalogue] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('pg_dist_partition') is not null as exists`,
  );
  if (!catalogue?.exists) return false;
  const [found] = await db.execute<{ distributed: boolean }>(sql`
    select exists (select from pg_dist_partition where logicalrelid = 'ragstone.sources'::regclass) as distributed`);
  return found?.distributed ?? false;
}

/** What the application's role needs where its statements run on other servers. */
const ROLE = [
  // the coordinator connects to the other servers in this role
  "alter role ragstone_app login",
  // so that they apply the role and the company of the transaction too
  `do $$ begin execute format('alter database %I set citus.propagate_set_commands = ''local''', current_database()); end $$`,
  // a change of a row locks the tables that it refers to, which needs this right; no policy lets the role change a row
  "alter table ragstone.embedding_models enable row level security",
  "create policy every_company on ragstone.embedding_models for select using (true)",
  "grant update on ragstone.embedding_models, ragstone.users to ragstone_app",
];

/** The table that the others follow: rows of a company are on one server, whatever their table. */
const FIRST_TABLE = "sources";

/** The statements that distribute the database, in order. */
export async function distributionPlan(db: Executor = connection().db): Promise<string[]> {
  const keys = await companyForeignKeys(db);
  const everywhere = await tablesAt("everywhere", db);
  const others = (await tablesAt("company", db)).filter((table) => table !== FIRST_TABLE);
  return [
    "set local citus.multi_shard_modify_mode = 'sequential'",
    ...ROLE,
    // Citus refuses a key from a table that is not distributed yet
    ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...everywhere.map((table) => `select create_reference_table('ragstone.${table}')`),
    `select create_distributed_table('ragstone.${FIRST_TABLE}', 'company_id')`,
    ...others.map(
      (table) =>
        `select create_distributed_table('ragstone.${table}', 'company_id', colocate_with => 'ragstone.${FIRST_TABLE}')`,
    ),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}

/** Runs the plan in one transaction. */
export async function distribute(): Promise<void> {
  await connection().db.transaction(async (tx) => {
    for (const statement of await distributionPlan(tx)) await simpleQuery(tx, statement);
  });
}

/** The tables with this placement, each after the tables that it refers to. */
async function tablesAt(placement: Placement, db: Executor): Promise<string[]> {
  const names = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === placement);
  const references = await db.execute<{ name: string; target: string }>(sql`
    select source.relname as name, target.relname as target
    from pg_constraint join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and connamespace = 'ragstone'::regnamespace`);
  const targetsOf = (name: string) => references.filter((each) => each.name === name).map(({ target }) => target);
  const rank = (name: string): number => Math.max(0, ...targetsOf(name).map((target) => rank(target) + 1));
  return names.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** The foreign keys among the tables with rows of companies. */
async function companyForeignKeys(db: Executor) {
  const keys = await db.execute<{ table: string; target: string; name: string; definition: string }>(sql`
    select format('ragstone.%I', source.relname) as table, target.relname as target, quote_ident(conname) as name,
      pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and connamespace = 'ragstone'::regnamespace
    order by source.relname, conname`);
  return keys.filter(({ target }) => PLACEMENTS[target] === "company");
}

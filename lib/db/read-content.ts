import { type SQL, sql } from "drizzle-orm";
import type { Connection, Executor, Transaction } from "./client.ts";
import { onReplica, replica } from "./replica.ts";
import { servedState } from "./served-content.ts";
import { companyLiteral } from "./sql.ts";
import type { CompanyId, TenantScope } from "./tenant.ts";

type Stamped = { stamp: string };

/**
 * The rows of a statement without parameters, from the company's content of that stamp. A replica with that content
 * answers; otherwise the database does.
 * @returns null when the content has changed
 */
export async function readAt<Row extends object>(
  scope: TenantScope,
  stamp: string,
  statement: SQL,
): Promise<Row[] | null> {
  const read = async (from?: Connection) => {
    const [[served], rows] = await scope.read<[Stamped, Row]>([stampQuery(scope.companyId), statement], from);
    return served?.stamp === stamp ? rows : null;
  };
  return (await onReplica(read)) ?? read();
}

/** Like `readAt`, for `work` in a snapshot. */
export async function snapshotAt<Result>(
  scope: TenantScope,
  stamp: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | null> {
  const read = (from?: Connection) =>
    scope.snapshot(async (tx) => ((await stampWithin(tx, scope.companyId)) === stamp ? work(tx) : null), from);
  return (await onReplica(read)) ?? read();
}

/** Runs `work` in a snapshot of the content that is served now. It may read only what a change of the stamp announces. */
export async function snapshotNow<Result>(
  scope: TenantScope,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (!replica()) return scope.snapshot(work);
  const { stamp } = await servedState(scope);
  return (await snapshotAt(scope, stamp, work)) ?? scope.snapshot(work);
}

function stampQuery(companyId: CompanyId): SQL {
  return sql`select content_stamp as stamp from ragstone.companies where id = ${companyLiteral(companyId)}`;
}

async function stampWithin(tx: Executor, companyId: CompanyId): Promise<string | undefined> {
  const [row] = await tx.execute<Stamped>(stampQuery(companyId));
  return row?.stamp;
}

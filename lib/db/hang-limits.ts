import { type SQL, sql } from "drizzle-orm";
import { connection } from "./client.ts";
import { textLiteral } from "./sql.ts";

/**
 * A process that hangs in a transaction holds its locks, so the server ends the transaction: between two statements, and
 * also while it waits for the parameters of a statement that it has parsed.
 */
const LIMITS_MS = { idle_in_transaction_session_timeout: 15_000, statement_timeout: 60_000 };

/**
 * Expressions that set the limits for the rest of a transaction, but not for the statement that contains them. They have
 * no parameters, so a message of statements can contain them too.
 */
export function setHangLimits(): SQL {
  // the embedded database's own process has such limits, and its engine would not survive these
  const { embedded } = connection();
  const settings = Object.entries(LIMITS_MS).map(
    ([name, ms]) => sql`set_config(${textLiteral(name)}, ${textLiteral(String(embedded ? 0 : ms))}, true)`,
  );
  return sql.join(settings, sql`, `);
}

import { and, desc, eq, isNotNull } from "drizzle-orm";
import { type Actor, requirePerson } from "../audit/record.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { flushQueryLog } from "../usage/record.ts";

const READ = 60;
const KEPT = 15;

/**
 * A member's last runs, the same one once: from the query log, so they last as long as it does, are nobody else's, and hold
 * no context field. Questions that are kept as hashes cannot be asked again.
 */
export async function listRuns(scope: TenantScope, actor: Actor) {
  const userId = requirePerson(scope, actor).id;
  await flushQueryLog();
  const { id, at, queryText, request, total, answered } = queryLog;
  const rows = await scope.transaction((tx) =>
    tx
      .select({ id, at, queryText, request, total, answered })
      .from(queryLog)
      .where(
        and(
          eq(queryLog.companyId, scope.companyId),
          eq(queryLog.userId, userId),
          eq(queryLog.origin, "playground"),
          isNotNull(queryText),
        ),
      )
      .orderBy(desc(at), desc(id))
      .limit(READ),
  );
  const seen = new Set<string>();
  return rows
    .filter((row) => {
      const same = JSON.stringify([row.queryText, row.request]);
      return !seen.has(same) && seen.add(same);
    })
    .slice(0, KEPT);
}

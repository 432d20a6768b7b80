import { and, desc, eq, isNotNull } from "drizzle-orm";
import { requirePerson } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { flushQueryLog } from "../usage/record.ts";

const RUNS_READ = 60;
const RUNS_SHOWN = 15;

/**
 * Lists a member's last runs, without repetitions. They come from the query log, so they last as long as the log,
 * belong to this member only, and hold no context fields. Questions stored as hashes are left out.
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
      .limit(RUNS_READ),
  );
  const seen = new Set<string>();
  return rows
    .filter((row) => {
      const same = JSON.stringify([row.queryText, row.request]);
      return !seen.has(same) && seen.add(same);
    })
    .slice(0, RUNS_SHOWN);
}

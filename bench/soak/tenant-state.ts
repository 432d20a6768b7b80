import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { connection } from "../../lib/db/client.ts";
import { enqueueOnce, enqueueTestRuns } from "../../lib/db/system/jobs.ts";
import { everythingOf, type FilledCompany } from "../../lib/testing/filled-company.ts";
import { waitFor } from "./wait.ts";

/** Longer than the delay of the log. */
const SETTLED_MS = 3_000;

type State = Record<string, string[]>;

/** All data of a company but its hourly jobs, which the worker adds on its own. */
export async function stateOf({ scope }: FilledCompany): Promise<State> {
  const everything = await everythingOf(scope);
  const jobs = everything.jobs?.filter((row) => !row.includes(",maintain,")) ?? [];
  return { ...everything, jobs };
}

/** Runs the hourly job of a company, which would otherwise change something at any moment. */
export async function maintainNow({ scope }: FilledCompany): Promise<void> {
  await enqueueOnce(scope.companyId, "maintain");
}

/** The data of a company once no job is running or due, and nothing changes on its own. */
export async function settledState(company: FilledCompany): Promise<State> {
  let before = await stateOf(company);
  return waitFor("a company's work to end", async () => {
    // the runs that the worker would add later
    await enqueueTestRuns(0);
    await setTimeout(SETTLED_MS);
    const now = await stateOf(company);
    if (isDeepStrictEqual(before, now) && !(await isWorkedOn(company))) return now;
    before = now;
    return null;
  });
}

/** The tables that differ, with their new rows. Pure. */
export function changesBetween(before: State, after: State): string[] {
  return Object.keys(before).flatMap((table) => {
    if (isDeepStrictEqual(before[table], after[table])) return [];
    const rows = after[table]?.filter((row) => !before[table]?.includes(row)) ?? [];
    return `${table} of the other company changed: ${rows.join(" ").slice(0, 300)}`;
  });
}

async function isWorkedOn({ scope }: FilledCompany): Promise<boolean> {
  const [open] = await connection().db.execute(sql`
    select 1 from ragstone.jobs where company_id = ${scope.companyId}
      and (state = 'running' or state = 'queued' and run_after < now() + interval '1 minute')`);
  return open !== undefined;
}

import type { Command } from "commander";
import {
  type DistributionState,
  distribute,
  distributionPlan,
  distributionState,
} from "../../lib/db/system/distribute.ts";
import { isWorkerRunning } from "../../lib/jobs/presence.ts";
import { example, run, UsageError } from "./context.ts";

interface Options {
  dryRun?: boolean;
  moveData?: boolean;
}

export function databaseCommands(database: Command): void {
  const command = database
    .command("distribute")
    .description("Distribute the rows of companies over the servers of a Citus cluster")
    .option("--dry-run", "print the statements, and change nothing")
    .option("--move-data", "move the rows that companies already have to other servers")
    .action(({ dryRun = false, moveData = false }: Options, self: Command) =>
      run(self, async () => {
        const statements = await distributionPlan();
        if (dryRun)
          return { value: { statements }, lines: ["begin", ...statements, "commit"].map((each) => `${each};`) };
        const refusal = refusalOf(await distributionState(), moveData);
        if (refusal) throw new UsageError(refusal);
        if (await isWorkerRunning()) {
          throw new UsageError("A server is running on this database. Stop it, then distribute the database.");
        }
        await distribute();
        return { value: { statements }, lines: ["The database is distributed."] };
      }),
    );
  example(command, "database distribute --dry-run");
}

/** Why the database cannot be distributed now; null when it can. */
export function refusalOf(state: DistributionState, moveData: boolean): string | null {
  const { embedded, hasCitus, isDistributed, hasCompanies } = state;
  if (embedded)
    return "The embedded database cannot be distributed. Set DATABASE_URL to a PostgreSQL server with Citus.";
  if (!hasCitus) {
    return "Citus is not installed in this database. Run `create extension citus`, add the other servers, then try again.";
  }
  if (isDistributed) return "The database is already distributed.";
  if (moveData || !hasCompanies) return null;
  return "The rows of the existing companies would move to other servers. Write a backup, then add --move-data.";
}

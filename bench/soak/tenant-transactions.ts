import { sql } from "drizzle-orm";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import type { Random } from "./random.ts";

/** More than a pool has connections, so that each serves both companies in turn. */
const AT_ONCE = 40;

/**
 * Transactions of two companies on the same connections, some of which fail or are taken back.
 * @returns how many saw a row of another company, or none of their own
 */
export async function interleave(
  companies: readonly [FilledCompany, FilledCompany],
  { count, random }: { count: number; random: Random },
): Promise<number> {
  let mixed = 0;
  let started = 0;
  const lane = async () => {
    while (started++ < count) {
      const { scope } = random.pick(companies);
      const fails = random.chance(0.2);
      const way = random.chance(0.5) ? scope.transaction : scope.snapshot;
      await way(async (tx) => {
        const rows = await tx.execute<{ id: string }>(sql`select company_id as id from ragstone.sources limit 100`);
        if (rows.length === 0 || rows.some(({ id }) => id !== scope.companyId)) mixed++;
        if (fails) await tx.execute(sql`select 1 / 0`);
      }).catch((error: unknown) => {
        if (!fails) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return mixed;
}

import { sql } from "drizzle-orm";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import type { Random } from "./random.ts";

/** More than the connections of a pool, so that each connection serves both companies. */
const AT_ONCE = 40;

/**
 * Runs transactions of two companies on the same connections. Some fail or are rolled back.
 * @returns how many saw a row of the other company, or none of their own
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

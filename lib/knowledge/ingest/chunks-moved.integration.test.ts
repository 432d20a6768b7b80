import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { requireRow } from "../../db/require-row.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../../testing/knowledge.ts";

const { db } = testDatabase();

/**
 * Once, as the chunk at `ordinal` gets its vector, gives it another slot, as a worker does that stores the same chunk for
 * an earlier version of its source and dies.
 */
async function withMovedChunk(scope: TenantScope, ordinal: number, work: () => Promise<unknown>): Promise<void> {
  await db.execute(sql`create sequence ragstone.test_moves`);
  await db.execute(sql`grant usage on sequence ragstone.test_moves to ragstone_app`);
  await db.execute(
    sql.raw(`create function ragstone.test_move() returns trigger language plpgsql as $$ begin
      if nextval('ragstone.test_moves') = 1 then
        update ragstone.chunks set ordinal = 900, indexed = false where company_id = new.company_id and ordinal = new.ordinal;
      end if;
      return new;
    end $$`),
  );
  await db.execute(
    sql.raw(`create trigger test_move before insert on ragstone.embeddings for each row
      when (new.company_id = '${scope.companyId}' and new.ordinal = ${ordinal}) execute function ragstone.test_move()`),
  );
  try {
    await work();
    const moves = await db.execute<{ made: boolean }>(sql`select is_called as made from ragstone.test_moves`);
    expect(requireRow(moves).made).toBe(true);
  } finally {
    await db.execute(sql`drop trigger test_move on ragstone.embeddings`);
    await db.execute(sql`drop function ragstone.test_move`);
    await db.execute(sql`drop sequence ragstone.test_moves`);
  }
}

const PARAGRAPHS = Array.from(
  { length: 3 },
  (_, i) => `Lighthouse ${i} is kept by ${"a keeper of lamps ".repeat(40)}.`,
);
const SMALL = PARAGRAPHS.map((text, i) => `# Part ${i}\n\n${text}`).join("\n\n");

it.each([
  ["small", SMALL],
  ["large", SMALL.replace("# Part 2", `${" ".repeat(1_100_000)}# Part 2`)],
])("a %s source is whole although another worker gave one of its chunks another slot", async (_, content) => {
  const scope = await newCompany();
  await withMovedChunk(scope, 1, () => addAndIngest(scope, document("lights", content)));
  const [chunks] = await db.execute<{ stored: number; live: number; complete: number }>(sql`
    select count(*)::int as stored,
      (select sum(live_count)::int from ragstone.lexical_blocks where company_id = ${scope.companyId}) as live,
      count(*) filter (where indexed and exists (select from ragstone.embeddings
        where embeddings.company_id = chunks.company_id and embeddings.ordinal = chunks.ordinal))::int as complete
    from ragstone.chunks where company_id = ${scope.companyId}`);
  expect(chunks?.live).toBe(chunks?.stored);
  expect(chunks?.complete).toBe(chunks?.stored);
  const { response } = await ask(scope, { queryText: "Lighthouse keeper of lamps", limit: 10 });
  expect(response.results.filter(({ payload }) => payload.content.includes("Lighthouse"))).toHaveLength(3);
});

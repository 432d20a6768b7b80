import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { ask, document, learn, newCompany, work } from "../testing/knowledge.ts";
import { compact } from "./compact.ts";

const database = testDatabase();
const signal = new AbortController().signal;

async function listsOf({ companyId }: TenantScope) {
  const [row] = await database.db.execute<{ lists: number; bytes: number }>(sql`
    select count(*)::int as lists, coalesce(sum(length(postings)), 0)::int as bytes
    from ragstone.lexical_postings where company_id = ${companyId}`);
  return row;
}

const manual = (edition: string) =>
  document(
    "manual",
    Array.from({ length: 600 }, (_, i) => `# Part ${i}\n\n${edition} ${edition}${i} of part ${i}.`).join("\n\n"),
  );

describe("compaction", () => {
  let scope: TenantScope;
  let fresh: TenantScope;
  beforeAll(async () => {
    [scope, fresh] = [await newCompany(), await newCompany()];
    const fixed = document("fixed", "# Constant\n\nThe granite of this text stays.");
    await learn(scope, fixed, manual("basalt"));
    await learn(scope, manual("marble"));
    await learn(fresh, fixed, manual("marble"));
    await work(scope);
  });

  it("leaves of the index what a company that never had the old text has, and its answers as they were", async () => {
    const questions = ["marble37 of part 37", "basalt37", "granite"];
    const answers = async (of: TenantScope) =>
      Promise.all(questions.map(async (queryText) => (await ask(of, { queryText })).response.results));
    const before = await answers(scope);
    expect(await listsOf(scope)).not.toEqual(await listsOf(fresh));

    await compact(scope, signal);
    expect(await listsOf(scope)).toEqual(await listsOf(fresh));
    expect(await answers(scope)).toEqual(before);
  });

  it("changes nothing when little is dead", async () => {
    const before = await listsOf(scope);
    await learn(scope, document("fixed", "# Constant\n\nThe gneiss of this text stays."));
    const dead = await listsOf(scope);
    expect(dead?.bytes).toBeGreaterThan(before?.bytes ?? 0);
    await compact(scope, signal);
    expect(await listsOf(scope)).toEqual(dead);
  });
});

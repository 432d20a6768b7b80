import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { chunks, lexicalBlocks } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { restoreSource } from "../knowledge/restore.ts";
import { deleteSource } from "../knowledge/service.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../testing/knowledge.ts";
import { compact, DEAD_SLOTS_MIN } from "./compact.ts";

const database = testDatabase();
const options = { signal: new AbortController().signal, deadSlotsMin: DEAD_SLOTS_MIN };

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
    await addAndIngest(scope, fixed, manual("basalt"));
    await addAndIngest(scope, manual("marble"));
    await addAndIngest(fresh, fixed, manual("marble"));
    await work(scope);
  });

  it("leaves the same index as a company that never had the old text, and the same answers", async () => {
    const questions = ["marble37 of part 37", "basalt37", "granite"];
    const answers = async (of: TenantScope) =>
      Promise.all(questions.map(async (queryText) => (await ask(of, { queryText })).response.results));
    const before = await answers(scope);
    expect(await listsOf(scope)).not.toEqual(await listsOf(fresh));

    await compact(scope, options);
    expect(await listsOf(scope)).toEqual(await listsOf(fresh));
    expect(await answers(scope)).toEqual(before);
  });

  it("changes nothing when few postings are dead", async () => {
    const before = await listsOf(scope);
    await addAndIngest(scope, document("fixed", "# Constant\n\nThe gneiss of this text stays."));
    const dead = await listsOf(scope);
    expect(dead?.bytes).toBeGreaterThan(before?.bytes ?? 0);
    await compact(scope, options);
    expect(await listsOf(scope)).toEqual(dead);
  });
});

describe("a block of the index", () => {
  const ITALIAN = "Il modem ha una luce rossa quando la linea non funziona.";
  const ENGLISH = "The router has a red light when the line is down.";
  const blocksOf = async (scope: TenantScope) =>
    (
      await scope.transaction((tx) =>
        tx
          .select()
          .from(lexicalBlocks)
          .where(eq(lexicalBlocks.companyId, scope.companyId))
          .orderBy(lexicalBlocks.block),
      )
    ).map(({ block, language }) => `${block} ${language}`);
  const ordinalsOf = async (scope: TenantScope) =>
    (
      await scope.transaction((tx) =>
        tx.select({ ordinal: chunks.ordinal }).from(chunks).where(eq(chunks.companyId, scope.companyId)),
      )
    ).map(({ ordinal }) => ordinal);
  const found = async (scope: TenantScope, queryText: string) =>
    (await ask(scope, { queryText })).response.results.map(({ payload }) => payload.sourceId);

  it("is deleted with its lists when its last chunk was purged, and its slots are never reused", async () => {
    const scope = await newCompany();
    await addAndIngest(scope, document("it", ITALIAN));
    await addAndIngest(scope, document("en", ENGLISH));
    const before = await ordinalsOf(scope);
    await addAndIngest(scope, document("it", ENGLISH));
    expect(await blocksOf(scope)).toEqual(["0 it", "1 en"]);

    await compact(scope, options);
    expect(await blocksOf(scope)).toEqual(["1 en"]);
    const [rest] = await database.db.execute<{ lists: number }>(sql`
      select count(*)::int as lists from ragstone.lexical_postings where company_id = ${scope.companyId} and block = 0`);
    expect(rest?.lists).toBe(0);

    await addAndIngest(scope, document("new", ITALIAN));
    expect(await blocksOf(scope)).toEqual(["1 en", "2 it"]);
    expect((await ordinalsOf(scope)).filter((ordinal) => before.includes(ordinal))).toHaveLength(1);
    expect(await found(scope, "luce rossa del modem")).toContain("new");
  });

  it("stays when it is the highest block, because new blocks are numbered after it", async () => {
    const scope = await newCompany();
    await addAndIngest(scope, document("en", ENGLISH));
    await addAndIngest(scope, document("it", ITALIAN));
    await addAndIngest(scope, document("it", ENGLISH));
    await compact(scope, options);
    expect(await blocksOf(scope)).toEqual(["0 en", "1 it"]);
  });

  it("stays while a deleted source can be restored", async () => {
    const scope = await newCompany();
    const [italian] = await addAndIngest(scope, document("it", ITALIAN));
    await addAndIngest(scope, document("en", ENGLISH));
    await deleteSource(scope, SYSTEM_ACTOR, italian?.id ?? "");
    await work(scope);
    await compact(scope, options);
    expect(await blocksOf(scope)).toEqual(["0 it", "1 en"]);
    await restoreSource(scope, SYSTEM_ACTOR, italian?.id ?? "");
    expect(await found(scope, "luce rossa del modem")).toContain("it");
  });

  it("stays while chunks are added to it", async () => {
    const scope = await newCompany();
    await addAndIngest(scope, document("it", ITALIAN));
    await addAndIngest(scope, document("en", ENGLISH));
    await addAndIngest(scope, document("it", ENGLISH));
    await Promise.all([
      compact(scope, options),
      compact(scope, options),
      addAndIngest(scope, document("new", ITALIAN)),
    ]);
    expect(await found(scope, "luce rossa del modem")).toContain("new");
  });
});

import { randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { and, asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { requireRow } from "../../db/require-row.ts";
import { chunks, jobs, returnedChunks, sources, sourceVersions, suggestions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { claimJobs } from "../../jobs/queue.ts";
import { sha256 } from "../../sha256.ts";
import { objectStore } from "../../storage/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { addFiles } from "../intake/add.ts";
import { restoreSource } from "../restore.ts";
import { deleteSource } from "../service.ts";
import { VERSIONS_RESTORABLE, VERSIONS_SHOWN } from "../values.ts";
import { purge } from "./purge.ts";

const { db } = testDatabase();
let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

async function versions(sourceId: string) {
  const { number, state, body, storageKey, purgedAt } = sourceVersions;
  return db
    .select({ number, state, body, storageKey, purgedAt })
    .from(sourceVersions)
    .innerJoin(sources, eq(sources.id, sourceVersions.sourceId))
    .where(and(eq(sources.companyId, scope.companyId), eq(sources.sourceId, sourceId)))
    .orderBy(asc(number));
}

const texts = async (sourceId: string) =>
  (await versions(sourceId)).map(({ state, body }) => [state, body.kind === "text" ? body.content : body.kind]);

async function addFile(sourceId: string, text: string): Promise<void> {
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId, bytes: Buffer.from(text) }]);
  await work(scope);
}

async function isKept(text: string): Promise<boolean> {
  const file = join(env().dataDir, "files", scope.companyId, sha256(Buffer.from(text)));
  return access(file).then(
    () => true,
    () => false,
  );
}

describe("a version that was replaced", () => {
  it("keeps its text while it is among the newest, but none of its chunks", async () => {
    const prices = ["one", "two", "three", "four", "five"];
    for (const price of prices) await addAndIngest(scope, document("price", `It costs ${price} euros.`));
    expect(await texts("price")).toEqual([
      ["superseded", ""],
      ["superseded", "It costs two euros."],
      ["superseded", "It costs three euros."],
      ["superseded", "It costs four euros."],
      ["current", "It costs five euros."],
    ]);
    expect(await db.$count(chunks, eq(chunks.companyId, scope.companyId))).toBe(1);
  });

  it("is purged when it had failed", async () => {
    await addFile("a.md", "");
    await addFile("a.md", "# A\n\nThe letter a.");
    expect(await isKept("")).toBe(false);
    expect(await texts("a.md")).toEqual([
      ["failed", ""],
      ["current", "file"],
    ]);
  });

  it("loses its original, once it cannot be restored, unless another source uses it", async () => {
    const shared = "# Shared\n\nWords of both.";
    await addFile("a.md", shared);
    await addFile("b.md", shared);
    const replace = async (name: string) => {
      for (let i = 0; i <= VERSIONS_RESTORABLE; i++)
        await addFile(name, `# New\n\nText ${i} of the letter ${name[0]}.`);
    };
    await replace("a.md");
    expect(await isKept(shared)).toBe(true);
    await replace("b.md");
    expect(await isKept(shared)).toBe(false);
    expect((await ask(scope, { queryText: "letter b" })).response.results[0]?.payload.sourceId).toBe("b.md");
  });

  it("is deleted when no page shows it any more", async () => {
    for (let i = 0; i < VERSIONS_SHOWN + 3; i++) await addAndIngest(scope, document("log", `Entry ${i}.`));
    const numbers = (await versions("log")).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: VERSIONS_SHOWN }, (_, i) => i + 4));
  });

  it("is purged later when an earlier release or a failed purge left it", async () => {
    for (const text of ["old", "new"]) await addAndIngest(scope, document("note", `The ${text} words.`));
    const own = and(eq(sourceVersions.companyId, scope.companyId), eq(sourceVersions.state, "superseded"));
    await db.update(sourceVersions).set({ purgedAt: null }).where(own);
    await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
    await work(scope);
    expect((await versions("note")).map(({ purgedAt }) => purgedAt !== null)).toEqual([true, false]);
  });
});

describe("a deleted source", () => {
  async function deletedADayAgo(): Promise<string> {
    await addFile("gone.md", "# Gone\n\nNobody knows.");
    const [source] = await db.select().from(sources).where(eq(sources.companyId, scope.companyId));
    const id = source?.id ?? "";
    await deleteSource(scope, SYSTEM_ACTOR, id);
    await db.update(sources).set({ deletedAt: sql`now() - interval '25 hours'` }).where(eq(sources.id, id));
    return id;
  }

  it("is deleted completely after 24 hours, with its original", async () => {
    await deletedADayAgo();
    await db.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.companyId, scope.companyId));
    await work(scope);
    for (const table of [sources, sourceVersions, chunks]) {
      expect(await db.$count(table, eq(table.companyId, scope.companyId))).toBe(0);
    }
    expect(await isKept("# Gone\n\nNobody knows.")).toBe(false);
  });

  it("keeps an original that another source starts to use at the same moment", async () => {
    await deletedADayAgo();
    const store = objectStore();
    const put = store.put;
    vi.spyOn(store, "put").mockImplementationOnce(async (...original) => {
      await put(...original);
      await db.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.companyId, scope.companyId));
      await work(scope);
    });
    await addFile("again.md", "# Gone\n\nNobody knows.");
    expect(await isKept("# Gone\n\nNobody knows.")).toBe(true);
    const { response } = await ask(scope, { queryText: "Nobody knows." });
    expect(response.results.map(({ payload }) => payload.sourceId)).toEqual(["again.md"]);
  });

  /** Purges a deleted source as a worker does, with another change just after the purge has retired its versions. */
  async function purgeInterrupted(sourceId: string, change: () => Promise<unknown>): Promise<void> {
    const own = and(eq(jobs.companyId, scope.companyId), eq(jobs.subjectId, sourceId), eq(jobs.state, "queued"));
    await db.update(jobs).set({ runAfter: sql`now()`, lane: "slow" }).where(own);
    const claim = await claimJobs("slow", { companyId: scope.companyId });
    const job = requireRow(claim?.jobs ?? []);
    let isInterrupted = false;
    const interrupted: TenantScope = {
      ...scope,
      async transaction(work) {
        const result = await scope.transaction(work);
        if (!isInterrupted) {
          isInterrupted = true;
          await change();
        }
        return result;
      },
    };
    await purge(job, interrupted, { signal: new AbortController().signal, hasEnded: () => false });
  }

  it.each([
    { name: "added again", isDeleted: false },
    { name: "added and deleted again", isDeleted: true },
  ])("keeps what belongs to it when it is $name while it is purged", async ({ isDeleted }) => {
    for (const text of ["one", "two"]) await addFile("gone.md", `# ${text}\n\nAn early text.`);
    const id = await deletedADayAgo();
    const { companyId } = scope;
    const content = { kind: "text", title: "Gone", content: "Somebody knows." } as const;
    await db.insert(suggestions).values({ companyId, sourceId: id, content, userId: randomUUID() });
    await db.insert(returnedChunks).values({ companyId, id: randomUUID(), sourceId: id, content: "Nobody knows." });
    await purgeInterrupted(id, async () => {
      await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "gone.md", bytes: Buffer.from("# Back\n\nIt is here.") }]);
      if (isDeleted) await deleteSource(scope, SYSTEM_ACTOR, id);
    });
    if (isDeleted) await restoreSource(scope, SYSTEM_ACTOR, id);
    await work(scope);
    expect(await texts("gone.md")).toEqual([
      ...Array.from({ length: VERSIONS_RESTORABLE }, () => ["superseded", "file"]),
      ["current", "file"],
    ]);
    expect(await isKept("# Gone\n\nNobody knows.")).toBe(true);
    for (const table of [suggestions, returnedChunks]) {
      expect(await db.$count(table, and(eq(table.companyId, companyId), eq(table.sourceId, id)))).toBe(1);
    }
  });

  it("cannot be restored when its text may be purged", async () => {
    const id = await deletedADayAgo();
    await expect(restoreSource(scope, SYSTEM_ACTOR, id)).rejects.toMatchObject({ error: "NotFound" });
  });
});

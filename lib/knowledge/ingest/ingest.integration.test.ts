import { and, eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { chunks, embeddings, lexicalBlocks, sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { getSource } from "../browse/source-page.ts";
import { addFiles, addSources } from "../intake/add.ts";
import { reindexSources, relabelSource } from "../intake/relabel.ts";
import { sourceInput } from "../intake/source-input.ts";
import { drawLines, makeScannedPdf } from "../parse/scan-fixtures.ts";
import { restoreSource } from "../restore.ts";
import { deleteSource } from "../service.ts";
import { outcomeOf } from "./progress.ts";

testDatabase();

async function chunkIds(scope: TenantScope): Promise<string[]> {
  const rows = await scope.transaction((tx) =>
    tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.companyId, scope.companyId)).orderBy(chunks.ordinal),
  );
  return rows.map(({ id }) => id);
}

async function found(scope: TenantScope, queryText: string) {
  const { response } = await ask(scope, { queryText });
  return response.results.map(({ payload }) => payload);
}

const PARAGRAPHS = Array.from(
  { length: 12 },
  (_, i) =>
    `Section ${i} explains topic number ${i}. ${`The rule ${i} applies to customers of group ${i}. `.repeat(12)}`,
);
const longText = (paragraphs: string[]) => paragraphs.map((text, i) => `# Part ${i}\n\n${text}`).join("\n\n");

describe("ingestion", () => {
  it("makes a source searchable, and skips it when it is added again unchanged", async () => {
    const scope = await newCompany();
    const [first] = await addAndIngest(scope, document("refunds", "Refunds are paid within fourteen days."));
    const [again] = await addAndIngest(scope, document("refunds", "Refunds are paid within fourteen days."));
    expect([first?.unchanged, again?.unchanged]).toEqual([false, true]);
    const [result] = await found(scope, "When do I get my money back?");
    expect(result).toMatchObject({ sourceId: "refunds", content: "Refunds are paid within fourteen days." });
  });

  it("keeps unchanged chunks with their ids and vectors after an edit, and removes the others", async () => {
    const scope = await newCompany();
    await addAndIngest(scope, document("handbook", longText(PARAGRAPHS)));
    const before = await chunkIds(scope);
    const edited = PARAGRAPHS.with(5, "Entirely new words about a lighthouse and its keeper.");
    await addAndIngest(scope, document("handbook", longText(edited)));
    const after = await chunkIds(scope);
    expect(before.length).toBeGreaterThan(10);
    expect(after.filter((id) => before.includes(id)).length).toBeGreaterThanOrEqual(before.length - 2);
    expect(after.length).toBe(before.length);
    expect((await found(scope, "lighthouse keeper"))[0]?.content).toContain("lighthouse");
    expect((await found(scope, "topic number 5 group 5")).map(({ content }) => content).join()).not.toContain(
      "group 5.",
    );
  });

  it("counts only live chunks in the totals for the keyword score", async () => {
    const scope = await newCompany();
    await addAndIngest(scope, document("a", "Alpha beta gamma."), document("b", "Delta epsilon zeta eta."));
    await addAndIngest(scope, document("a", "Alpha once more, with other words."));
    const [sums] = await scope.transaction((tx) =>
      tx.execute<{ live: number; words: number }>(sql`
        select (select sum(live_count)::int from ragstone.lexical_blocks where company_id = ${scope.companyId}) as live,
          (select sum(word_total)::int from ragstone.lexical_blocks where company_id = ${scope.companyId})
            - (select sum(word_length)::int from ragstone.chunks where company_id = ${scope.companyId}) as words`),
    );
    expect(sums).toEqual({ live: 2, words: 0 });
  });

  it("finds a deleted source again after it is added again, unchanged or edited", async () => {
    const scope = await newCompany();
    const [first] = await addAndIngest(scope, document("tides", "The tide turns at noon."));
    for (const text of ["The tide turns at noon.", "The tide turns at noon. The moon is new."]) {
      await deleteSource(scope, SYSTEM_ACTOR, first?.id ?? "");
      const again = document("tides", text);
      await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(again)]);
      expect(await found(scope, "When does the tide turn?")).toEqual([]);
      await work(scope);
      expect(await found(scope, "When does the tide turn?")).toMatchObject([{ sourceId: "tides", content: text }]);
    }
  });

  it("restores a source completely that was deleted before it was processed", async () => {
    const scope = await newCompany();
    const source = document("ferry", "The ferry sails at nine.");
    const [accepted] = await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)]);
    await deleteSource(scope, SYSTEM_ACTOR, accepted?.id ?? "");
    await work(scope);
    expect(await found(scope, "ferry")).toEqual([]);
    await restoreSource(scope, SYSTEM_ACTOR, accepted?.id ?? "");
    expect(await found(scope, "ferry")).toMatchObject([{ sourceId: "ferry", content: "The ferry sails at nine." }]);
    expect(await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)])).toMatchObject([{ unchanged: true }]);
  });

  it("serves the old version until the new one is ready, and the newest of two new ones", async () => {
    const scope = await newCompany();
    await addAndIngest(scope, document("price", "The price is ten euros."));
    await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("price", "The price is twenty euros."))]);
    expect((await found(scope, "price"))[0]?.content).toContain("ten");
    await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("price", "The price is thirty euros."))]);
    await work(scope);
    const now = await found(scope, "price");
    expect(now.map(({ content }) => content)).toEqual(["The price is thirty euros."]);
    const states = await scope.transaction((tx) =>
      tx
        .select({ state: sourceVersions.state })
        .from(sourceVersions)
        .where(eq(sourceVersions.companyId, scope.companyId))
        .orderBy(sourceVersions.number),
    );
    expect(states.map(({ state }) => state)).toEqual(["superseded", "superseded", "current"]);
  });

  it("removes a deleted source from retrieval immediately and restores it", async () => {
    const scope = await newCompany();
    const [accepted] = await addAndIngest(scope, document("secret", "The treasure lies under the oak."));
    const id = accepted?.id ?? "";
    await deleteSource(scope, SYSTEM_ACTOR, id);
    expect(await found(scope, "treasure")).toEqual([]);
    await restoreSource(scope, SYSTEM_ACTOR, id);
    expect((await found(scope, "treasure"))[0]?.sourceId).toBe("secret");
  });

  it("changes labels without touching chunks", async () => {
    const scope = await newCompany();
    const [accepted] = await addAndIngest(
      scope,
      document("note", "Internal note about escalation.", { audience: ["copilot"] }),
    );
    const before = await chunkIds(scope);
    await relabelSource(scope, SYSTEM_ACTOR, accepted?.id ?? "", { audience: ["ai_agent"], path: ["A", "B"] });
    await work(scope);
    expect(await chunkIds(scope)).toEqual(before);
    expect((await found(scope, "escalation"))[0]).toMatchObject({ audience: ["ai_agent"], path: ["A", "B"] });
  });

  it("gives the same chunks after re-indexing", async () => {
    const scope = await newCompany();
    const [accepted] = await addAndIngest(scope, document("same", longText(PARAGRAPHS)));
    const before = await chunkIds(scope);
    await reindexSources(scope, SYSTEM_ACTOR, [accepted?.id ?? ""]);
    await work(scope);
    expect(await chunkIds(scope)).toEqual(before);
    expect(await found(scope, "topic number 3")).not.toEqual([]);
  });

  it("fails only the file that cannot be read, with the reason", async () => {
    const scope = await newCompany();
    await addFiles(scope, SYSTEM_ACTOR, [
      { sourceId: "empty.md", bytes: new Uint8Array() },
      { sourceId: "good.md", bytes: Buffer.from("# Opening hours\n\nWe are open from nine to five.") },
    ]);
    await work(scope);
    expect((await found(scope, "opening hours"))[0]).toMatchObject({ sourceId: "good.md", title: "Opening hours" });
    const [failed] = await scope.transaction((tx) =>
      tx
        .select({ state: sourceVersions.state, error: sourceVersions.error })
        .from(sourceVersions)
        .innerJoin(
          sources,
          and(eq(sources.companyId, sourceVersions.companyId), eq(sources.id, sourceVersions.sourceId)),
        )
        .where(and(eq(sources.companyId, scope.companyId), eq(sources.sourceId, "empty.md"))),
    );
    expect(failed?.state).toBe("failed");
    expect(failed?.error).toMatch(/empty/i);
  });

  it("fails only the text that cannot be read among short texts that are read together", async () => {
    const scope = await newCompany();
    const [before, unreadable, after] = await addAndIngest(
      scope,
      document("before", "The lighthouse is open in summer."),
      document("unreadable", `${"> ".repeat(200)}nested`),
      document("after", "The harbour is closed in winter."),
    );
    const ids = [before, unreadable, after].flatMap((accepted) => accepted?.versionId ?? []);
    const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, ids);
    expect(failed).toEqual([{ path: "unreadable", reason: expect.stringContaining("nested too deeply") }]);
    const asked = await Promise.all(["lighthouse", "harbour"].map((word) => found(scope, word)));
    expect(asked.map(([first]) => first?.sourceId)).toEqual(["before", "after"]);
  });

  it("recognises the text of a scan, and keeps the notice about it when labels change", async () => {
    const scope = await newCompany();
    await addFiles(scope, SYSTEM_ACTOR, [
      { sourceId: "scan.pdf", bytes: makeScannedPdf([drawLines(["Refunds take fourteen days."], "jpeg")]) },
      { sourceId: "blurred.png", bytes: drawLines(["Refunds take fourteen days."], "png", 3) },
    ]);
    await work(scope);
    const [result] = await found(scope, "refunds");
    expect(result).toMatchObject({
      sourceId: "scan.pdf",
      content: "Refunds take fourteen days.",
      metadata: { page: 1 },
    });
    const [blurred] = await scope.transaction((tx) =>
      tx
        .select({ id: sources.id })
        .from(sources)
        .where(and(eq(sources.companyId, scope.companyId), eq(sources.sourceId, "blurred.png"))),
    );
    await relabelSource(scope, SYSTEM_ACTOR, blurred?.id ?? "", { path: ["scans"] });
    const { notice } = await getSource(scope, SYSTEM_ACTOR, blurred?.id ?? "", { page: 1, chunkId: null });
    expect(notice).toContain("Text recognition was unsure");
  });

  it("gives every chunk one slot and one vector in a block of its language", async () => {
    const scope = await newCompany();
    await addAndIngest(
      scope,
      document("en", "The router has a red light when the line is down."),
      document("it", "Il modem ha una luce rossa quando la linea non funziona."),
    );
    const [ordinals, vectors, blocks] = await scope.transaction(async (tx) => [
      await tx.$count(chunks, eq(chunks.companyId, scope.companyId)),
      await tx.$count(embeddings, eq(embeddings.companyId, scope.companyId)),
      (
        await tx
          .select({ language: lexicalBlocks.language })
          .from(lexicalBlocks)
          .where(eq(lexicalBlocks.companyId, scope.companyId))
      )
        .map(({ language }) => language)
        .sort(),
    ]);
    expect([ordinals, vectors, blocks]).toEqual([2, 2, ["en", "it"]]);
  });
});

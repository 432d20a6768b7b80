import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { requireRow } from "../../db/require-row.ts";
import { jobs, sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { claimJobs, moveToSlowLane } from "../../jobs/queue.ts";
import { sha256 } from "../../sha256.ts";
import { objectStore } from "../../storage/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { addFile, email, sourcesBelow } from "../../testing/emails.ts";
import { document, newCompany, work } from "../../testing/knowledge.ts";
import type { Accepted } from "../intake/accept.ts";
import { addFiles, addSources, type GivenFile } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { deleteManaged } from "../manage/delete-many.ts";
import { diffSources } from "../manage/diff.ts";
import { originalKey } from "../original-key.ts";
import { restoreSource } from "../restore.ts";
import { deleteSource } from "../service.ts";
import { UNDO_HOURS } from "../values.ts";
import { storeAttachments } from "./attachments.ts";
import { INGEST } from "./ingest.ts";

const { db } = testDatabase();

let scope: TenantScope;
beforeAll(async () => {
  scope = await newCompany();
});

const add = (file: GivenFile) => addFile(scope, file);
const listed = (prefix: string) => sourcesBelow(scope, prefix);

/**
 * Stores an attachment of an email as a worker does, with another change just before the attachment is accepted.
 * @returns the key of the attachment's original
 */
async function storeInterrupted(added: Accepted | undefined, change: () => Promise<void>): Promise<string> {
  const [version] = await scope.transaction((tx) =>
    tx
      .select()
      .from(sourceVersions)
      .where(and(eq(sourceVersions.companyId, scope.companyId), eq(sourceVersions.id, added?.versionId ?? ""))),
  );
  if (!version) throw new Error("the email has no version");
  let isInterrupted = false;
  const interrupted: TenantScope = {
    ...scope,
    async changeContent(work) {
      if (!isInterrupted) {
        isInterrupted = true;
        await change();
      }
      return scope.changeContent(work);
    },
  };
  const bytes = Buffer.from("The walrus clause ends in June.");
  await storeAttachments(interrupted, [{ version, metadata: {}, attachments: [{ fileName: "terms.txt", bytes }] }]);
  expect(isInterrupted).toBe(true);
  return originalKey(scope.companyId, sha256(bytes));
}

/** Does the first turn of a long job, which reads the source, and leaves the rest to the slow lane. */
async function readOnly({ companyId }: TenantScope): Promise<void> {
  const claim = await claimJobs("quick", { companyId });
  if (!claim) throw new Error("no job is due");
  await INGEST.run(
    { ...claim, lane: "slow" },
    {
      turn: { signal: new AbortController().signal, hasEnded: () => true },
      letNextBegin: () => undefined,
      affectsEveryJob: () => true,
      failAttempt: (_job, error) => Promise.reject(error),
    },
  );
  await moveToSlowLane(requireRow(claim.jobs));
}

/** Purges a deleted source as if it could no longer be restored. */
async function purgeNow(companyId: CompanyId, id: string): Promise<void> {
  const deletedAt = sql`now() - make_interval(hours => ${UNDO_HOURS}, mins => 1)`;
  await db
    .update(sources)
    .set({ deletedAt })
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id)));
  await db
    .update(jobs)
    .set({ runAfter: sql`now()` })
    .where(and(eq(jobs.companyId, companyId), eq(jobs.subjectId, id)));
  await work(scope);
  expect(await db.$count(sources, and(eq(sources.companyId, companyId), eq(sources.id, id)))).toBe(0);
}

describe("an email that is deleted or replaced", () => {
  it("gets no attachments when it is deleted while they are stored", async () => {
    const added = await add({ sourceId: "i.eml", bytes: email("Both.") });
    const original = await storeInterrupted(added, async () => {
      await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    });
    expect((await listed("i.eml")).size).toBe(0);
    expect(await objectStore().has(original)).toBe(false);
  });

  it("keeps the attachments of a newer version that is processed while those of an older one are stored", async () => {
    const added = await add({ sourceId: "j.eml", bytes: email("Both.") });
    const original = await storeInterrupted(added, async () => {
      await add({ sourceId: "j.eml", bytes: email("New.", ["plan.txt"]) });
    });
    expect([...(await listed("j.eml")).keys()].toSorted()).toEqual(["j.eml", "j.eml/plan.txt"]);
    expect(await objectStore().has(original)).toBe(false);
  });

  it("is deleted and restored with its attachments", async () => {
    const added = await add({ sourceId: "d.eml", bytes: email("Gone soon.") });
    expect(await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "")).toEqual({ sourceId: "d.eml" });
    expect((await listed("d.eml")).size).toBe(0);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect([...(await listed("d.eml")).keys()].toSorted()).toEqual(["d.eml", "d.eml/terms.txt"]);
  });

  it("gets its attachments when it is restored after it was first read while it was deleted", async () => {
    const file = { sourceId: "m.eml", bytes: email("Deleted early.") };
    const [added] = await addFiles(scope, SYSTEM_ACTOR, [file]);
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await work(scope);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await work(scope);
    const restored = await listed("m.eml");
    expect([...restored.keys()].toSorted()).toEqual(["m.eml", "m.eml/terms.txt"]);
    for (const { status } of restored.values()) expect(status).toBe("ready");
  });

  it("gets its attachments when it is restored between reading it while it was deleted and making it current", async () => {
    const [added] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "p.eml", bytes: email("Deleted early.") }]);
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await readOnly(scope);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await work(scope);
    const restored = await listed("p.eml");
    expect([...restored.keys()].toSorted()).toEqual(["p.eml", "p.eml/terms.txt"]);
    for (const { status } of restored.values()) expect(status).toBe("ready");
  });

  it("keeps its attachments when it is restored while a text replaces it, until the text is current", async () => {
    const added = await add({ sourceId: "q.eml", bytes: email("Both.") });
    await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("q.eml", "A text."))]);
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await readOnly(scope);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect([...(await listed("q.eml")).keys()].toSorted()).toEqual(["q.eml", "q.eml/terms.txt"]);
    await work(scope);
    expect([...(await listed("q.eml")).keys()]).toEqual(["q.eml"]);
  });

  it("reads no other file again when it is restored while it is processed", async () => {
    const [added] = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "r.txt", bytes: Buffer.from("No email.") }]);
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect(await db.$count(sourceVersions, eq(sourceVersions.sourceId, added?.id ?? ""))).toBe(1);
    await work(scope);
  });

  it.each([
    { sourceId: "n.eml", body: "an email", kept: ["n.eml/plan.txt"] },
    { sourceId: "o.eml", body: "a text", kept: [] },
  ])("is restored without the attachments that its newest version, $body, has lost", async ({ sourceId, kept }) => {
    const added = await add({ sourceId, bytes: email("Both.", ["terms.txt", "plan.txt"]) });
    if (kept.length > 0) await addFiles(scope, SYSTEM_ACTOR, [{ sourceId, bytes: email("One.", ["plan.txt"]) }]);
    else await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document(sourceId, "A text."))]);
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await work(scope);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect([...(await listed(sourceId)).keys()]).toEqual([sourceId]);
    await work(scope);
    expect([...(await listed(sourceId)).keys()].toSorted()).toEqual([sourceId, ...kept]);
  });

  it("leaves an attachment that was restored alone as a source of its own until the email is restored", async () => {
    const added = await add({ sourceId: "k/mail.eml", bytes: email("Gone.") });
    const [terms] = (await listed("k/mail.eml/")).values();
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await restoreSource(scope, SYSTEM_ACTOR, terms?.id ?? "");
    const left = "k/mail.eml/terms.txt";
    const comparison = { prefix: "k/", sources: [] };
    expect((await listed("k/")).get(left)?.attachedTo).toBeNull();
    expect((await diffSources(scope, SYSTEM_ACTOR, comparison)).extra).toEqual([left]);
    await restoreSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    expect((await listed("k/")).get(left)?.attachedTo).toBe(added?.id);
    expect((await diffSources(scope, SYSTEM_ACTOR, comparison)).extra).toEqual(["k/mail.eml"]);
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    await restoreSource(scope, SYSTEM_ACTOR, terms?.id ?? "");
    expect(await deleteManaged(scope, SYSTEM_ACTOR, { prefix: "k/", confirm: 1 })).toEqual([left]);
  });

  it("takes over the attachments of an email of its name that was deleted for good", async () => {
    const { companyId } = scope;
    const added = await add({ sourceId: "l.eml", bytes: email("Gone.", ["terms.txt", "plan.txt"]) });
    const attachments = await listed("l.eml/");
    await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
    for (const { id } of attachments.values()) await restoreSource(scope, SYSTEM_ACTOR, id);
    await purgeNow(companyId, added?.id ?? "");
    const again = await add({ sourceId: "l.eml", bytes: email("Again.") });
    expect(again?.id).not.toBe(added?.id);
    const sources = await listed("l.eml/");
    expect(sources.get("l.eml/terms.txt")).toMatchObject({
      id: attachments.get("l.eml/terms.txt")?.id,
      attachedTo: again?.id,
    });
    // it is a source of its own, so nothing but itself deletes it
    expect(sources.get("l.eml/plan.txt")).toMatchObject({ attachedTo: null });
    await add({ sourceId: "l.eml", bytes: email("None.", []) });
    expect([...(await listed("l.eml")).keys()].toSorted()).toEqual(["l.eml", "l.eml/plan.txt"]);
  });
});

import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { ask, newCompany, workUntilDone } from "../../testing/knowledge.ts";
import { labelsOf } from "../../testing/labels.ts";
import { makeMsg } from "../parse/msg-fixtures.ts";
import { restoreSource } from "../restore.ts";
import { deleteSource, sourceByExternalId } from "../service.ts";
import { addFiles } from "./add.ts";
import { lastRelabel } from "./last-relabel.ts";
import { reindexSource, relabelSource, relabelSources, undoRelabel } from "./relabel.ts";

const { db } = testDatabase();

const EMAIL = "mail.msg";
const TERMS = "mail.msg/terms.txt";

let scope: TenantScope;
let admin: Actor;
beforeEach(async () => {
  scope = await newCompany();
  admin = { type: "user", id: randomUUID(), name: "Ada", companyId: scope.companyId, role: "admin" };
});

/** Adds an email whose attachment may have other audiences, and returns the ids of both. */
async function addEmail(audience: string[], ofAttachment = audience) {
  const attachments = [{ name: "terms.txt", bytes: Buffer.from("The narwhal clause ends in June.") }];
  const bytes = makeMsg({ subject: "Terms", body: "See the terms.", attachments });
  await workUntilDone(scope, await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: EMAIL, bytes, audience }]));
  const [email, terms] = [await idOf(EMAIL), await idOf(TERMS)];
  if (ofAttachment !== audience) await relabelSource(scope, admin, terms, { audience: ofAttachment });
  return { email, terms };
}

const idOf = async (sourceId: string) => (await sourceByExternalId(scope, SYSTEM_ACTOR, sourceId)).id;

async function audiences() {
  const [email, terms] = [await labelsOf(scope, EMAIL), await labelsOf(scope, TERMS)];
  return { email: email?.labels.audience, terms: terms?.labels.audience };
}

/** Removes an audience from sources. @returns the id of the change */
async function removeAudience(ids: string[], audience: string): Promise<string> {
  const relabelId = randomUUID();
  await relabelSources(scope, admin, ids, { audience: [audience], audienceChange: "remove" }, { relabelId });
  return relabelId;
}

describe("the undo of a change of an email's labels", () => {
  it("shows an attachment to no audience that it did not have", async () => {
    const { email } = await addEmail(["copilot", "team"], ["copilot"]);
    const change = await removeAudience([email], "team");
    expect(await audiences()).toEqual({ email: ["copilot"], terms: ["copilot"] });
    await undoRelabel(scope, admin, change);
    expect(await audiences()).toEqual({ email: ["copilot", "team"], terms: ["copilot"] });
  });

  it.each([{ own: ["copilot", "staff"] }, { own: ["team", "copilot"] }, { own: ["copilot", "team"] }])(
    "gives an attachment with $own back what it lost",
    async ({ own }) => {
      const { email } = await addEmail(["copilot", "team"], own);
      const change = await removeAudience([email], "copilot");
      expect((await audiences()).terms).toEqual(own.filter((each) => each !== "copilot"));
      await undoRelabel(scope, admin, change);
      expect(await audiences()).toEqual({ email: ["copilot", "team"], terms: own });
    },
  );

  it("gives back what an attachment lost that was chosen with its email", async () => {
    const { email, terms } = await addEmail(["copilot", "team"], ["copilot", "staff"]);
    const change = await removeAudience([email, terms], "copilot");
    expect((await lastRelabel(scope, admin))?.sources).toBe(2);
    expect(await undoRelabel(scope, admin, change)).toMatchObject({ undone: { length: 2 }, leftOut: 0 });
    expect(await audiences()).toEqual({ email: ["copilot", "team"], terms: ["copilot", "staff"] });
  });

  it("takes audiences from an attachment that was processed again since", async () => {
    const { email, terms } = await addEmail(["team"]);
    const relabelId = randomUUID();
    await relabelSources(scope, admin, [email], { audience: ["public"] }, { widenTo: "any", relabelId });
    await workUntilDone(scope, [await reindexSource(scope, admin, terms)]);
    expect((await audiences()).terms).toEqual(["public"]);
    await undoRelabel(scope, admin, relabelId);
    expect(await audiences()).toEqual({ email: ["team"], terms: ["team"] });
  });

  it("takes audiences from an attachment that was read from the email after the change", async () => {
    const attachments = [{ name: "terms.txt", bytes: Buffer.from("The narwhal clause ends in June.") }];
    const bytes = makeMsg({ subject: "Terms", body: "See the terms.", attachments });
    const added = await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: EMAIL, bytes, audience: ["team"] }]);
    const relabelId = randomUUID();
    const email = await idOf(EMAIL);
    await relabelSources(scope, admin, [email], { audience: ["public"] }, { widenTo: "any", relabelId });
    await workUntilDone(scope, added);
    expect((await audiences()).terms).toEqual(["public"]);
    await undoRelabel(scope, admin, relabelId);
    expect(await audiences()).toEqual({ email: ["team"], terms: ["team"] });
  });

  it("takes audiences from an attachment that an earlier release did not mark", async () => {
    const { email, terms } = await addEmail(["team"]);
    const relabelId = randomUUID();
    await relabelSources(scope, admin, [email], { audience: ["public"] }, { widenTo: "any", relabelId });
    await db.update(sourceVersions).set({ relabelId: null }).where(eq(sourceVersions.sourceId, terms));
    await undoRelabel(scope, admin, relabelId);
    expect(await audiences()).toEqual({ email: ["team"], terms: ["team"] });
  });

  it("leaves out an attachment with its email that has changed since", async () => {
    const { email, terms } = await addEmail(["copilot", "team"], ["copilot", "team", "staff"]);
    const change = await removeAudience([email, terms], "team");
    expect((await lastRelabel(scope, admin))?.sources).toBe(2);
    await relabelSource(scope, admin, email, { audience: ["copilot", "public"] });
    expect(await lastRelabel(scope, admin)).toBeNull();
    expect(await undoRelabel(scope, admin, change)).toEqual({ undone: [], leftOut: 2 });
    expect((await audiences()).terms).toEqual(["copilot", "staff"]);
  });
});

describe("a deleted attachment", () => {
  const found = async () => {
    const { response } = await ask(scope, { queryText: "narwhal clause", filters: { audience: "public" } });
    return response.results.map(({ payload }) => payload.sourceId);
  };

  it("is restored without the audiences that its email has lost in the meantime", async () => {
    const { email, terms } = await addEmail(["public", "team"]);
    expect(await found()).toContain(TERMS);
    await deleteSource(scope, admin, terms);
    await relabelSource(scope, admin, email, { audience: ["team"] });
    expect(await found()).toEqual([]);
    await restoreSource(scope, admin, terms);
    expect(await audiences()).toEqual({ email: ["team"], terms: ["team"] });
    expect(await found()).toEqual([]);
    const { response } = await ask(scope, { queryText: "narwhal clause", filters: { audience: "team" } });
    expect(response.results.map(({ payload }) => payload.sourceId)).toContain(TERMS);
  });

  it("gains no audience with its email, and is restored as it was when the change is undone", async () => {
    const { email, terms } = await addEmail(["public", "team"]);
    await deleteSource(scope, admin, terms);
    const relabelId = randomUUID();
    await relabelSources(scope, admin, [email], { audience: ["staff", "team"] }, { widenTo: "any", relabelId });
    expect((await audiences()).terms).toEqual(["team"]);
    expect(await undoRelabel(scope, admin, relabelId)).toMatchObject({ undone: [{ id: email }], leftOut: 0 });
    await restoreSource(scope, admin, terms);
    expect(await audiences()).toEqual({ email: ["public", "team"], terms: ["public", "team"] });
  });
});

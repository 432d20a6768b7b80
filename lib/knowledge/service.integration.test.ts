import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { browseAudit } from "../audit/browse.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { sources } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { countLiveChunks } from "../search-index/live-chunks.ts";
import { testDatabase } from "../testing/database.ts";
import { addFile, email } from "../testing/emails.ts";
import { document, newCompany, workUntilDone } from "../testing/knowledge.ts";
import { addSources } from "./intake/add.ts";
import { sourceInput } from "./intake/source-input.ts";
import { restoreSources } from "./restore.ts";
import { deleteSources } from "./service.ts";

const { db } = testDatabase();

async function eventsOf(scope: TenantScope, action: string) {
  return (await browseAudit(scope, SYSTEM_ACTOR, { actor: null, action, from: null, to: null, page: 1 })).rows;
}

test("a bulk deletion and its undo are one event each, or one for every 2,000 sources", async () => {
  const scope = await newCompany();
  const documents = Array.from({ length: 2_050 }, (_, index) =>
    sourceInput.parse(document(`d${index}`, `Document ${index}.`)),
  );
  const ids = (await addSources(scope, SYSTEM_ACTOR, documents)).map(({ id }) => id);
  await deleteSources(scope, SYSTEM_ACTOR, ids);
  const events = await eventsOf(scope, "source.deleted");
  expect(events.map(({ targetName }) => targetName)).toEqual(["50 sources", "2,000 sources"]);
  const named = events.toReversed().flatMap(({ detail }) => detail.sources);
  expect(named).toEqual(documents.map(({ sourceId }) => sourceId));
  await restoreSources(scope, SYSTEM_ACTOR, ids.slice(0, 3));
  expect(await eventsOf(scope, "source.restored")).toMatchObject([
    { targetName: "3 sources", detail: { sources: ["d0", "d1", "d2"] } },
  ]);
  expect(await restoreSources(scope, SYSTEM_ACTOR, ids)).toHaveLength(2_047);
});

test("the event of one source has its title as a name, and nothing is recorded when nothing changes", async () => {
  const scope = await newCompany();
  const [added] = await addSources(scope, SYSTEM_ACTOR, [
    sourceInput.parse(document("d", "Text.", { title: "Refund policy" })),
  ]);
  const ids = added ? [added.id] : [];
  await deleteSources(scope, SYSTEM_ACTOR, ids);
  await deleteSources(scope, SYSTEM_ACTOR, ids);
  expect(await eventsOf(scope, "source.deleted")).toMatchObject([
    { targetType: "source", targetName: "Refund policy" },
  ]);
});

// the embedded database runs one transaction after another
test.skipIf(env().databaseUrl === null)(
  "attachments that are stored during the deletion of their email are deleted too",
  async () => {
    const scope = await newCompany();
    const documents = ["mail", "mail/a"].map((id) => sourceInput.parse(document(id, "Text.")));
    const [mail, attached] = await addSources(scope, SYSTEM_ACTOR, documents);
    if (!mail || !attached) throw new Error("two sources");
    const deletion = await db.transaction(async (tx) => {
      await tx.select().from(sources).where(eq(sources.id, mail.id)).for("update");
      await tx.update(sources).set({ attachedTo: mail.id }).where(eq(sources.id, attached.id));
      const started = deleteSources(scope, SYSTEM_ACTOR, [mail.id]);
      await expect.poll(waitingForSources).toBe(1);
      return { started };
    });
    await deletion.started;
    const [row] = await db.select().from(sources).where(eq(sources.id, attached.id));
    expect(row?.deletedAt).toBeInstanceOf(Date);
  },
);

test.skipIf(env().databaseUrl === null)(
  "an email is restored without the attachment that is added by itself meanwhile",
  async () => {
    const scope = await newCompany();
    const mail = await addFile(scope, { sourceId: "mail.eml", bytes: email("Gone.", ["terms.txt"]) });
    if (!mail) throw new Error("an email");
    await deleteSources(scope, SYSTEM_ACTOR, [mail.id]);
    let restoring: ReturnType<typeof restoreSources> | undefined;
    const added = await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("mail.eml/terms.txt", "Own."))], {
      async also() {
        restoring = restoreSources(scope, SYSTEM_ACTOR, [mail.id]);
        await expect.poll(waitingForSources).toBe(1);
      },
    });
    expect(await restoring).toHaveLength(1);
    const live = () => scope.transaction((tx) => countLiveChunks(tx, scope.companyId));
    expect(await live()).toBe(1);
    await workUntilDone(scope, added);
    expect(await live()).toBe(2);
  },
);

/** How many statements wait for rows of sources that another transaction has locked. */
async function waitingForSources(): Promise<number> {
  const rows = await db.execute(
    sql`select from pg_stat_activity where query like '%"sources"%' and wait_event_type = 'Lock'
      and datname = current_database()`,
  );
  return rows.length;
}

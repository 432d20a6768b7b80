import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { heldUploads, sources } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { objectStore } from "../../storage/index.ts";
import { withSpooled } from "../../storage/spool.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany } from "../../testing/knowledge.ts";
import { attachUpload } from "./attach.ts";
import { discardUpload, holdUpload } from "./hold.ts";

const { db } = testDatabase();

async function* textOf(text: string) {
  yield Buffer.from(text);
}

/** Holds an upload with a content of its own. */
function hold(scope: TenantScope) {
  return withSpooled(textOf(`Held ${randomUUID()}.`), (file) =>
    holdUpload(scope, SYSTEM_ACTOR, { file, fileName: "held.md", purpose: "assistants" }),
  );
}

/** How many statements wait for a held upload that another transaction has locked. */
async function waitingForUploads(): Promise<number> {
  const rows = await db.execute(
    sql`select from pg_stat_activity where query like '%"held_uploads"%for update%' and wait_event_type = 'Lock'
      and datname = current_database()`,
  );
  return rows.length;
}

/**
 * Starts a second transaction before the first one commits, and commits when the second one waits for it.
 * @returns the scope for the first one, and the outcome of the second one
 */
function meeting(scope: TenantScope, second: () => Promise<unknown>) {
  const outcome = Promise.withResolvers<unknown>();
  const thenMeet =
    <T>(work: (tx: Transaction) => Promise<T>) =>
    async (tx: Transaction) => {
      const result = await work(tx);
      outcome.resolve(
        second().then(
          () => "done",
          (error: unknown) => error,
        ),
      );
      await expect.poll(waitingForUploads).toBe(1);
      return result;
    };
  const first: TenantScope = {
    ...scope,
    transaction: (work) => scope.transaction(thenMeet(work)),
    changeContent: (work) => scope.changeContent(thenMeet(work)),
  };
  return { first, outcome: outcome.promise };
}

// the embedded database runs one transaction after another
test.skipIf(env().databaseUrl === null)("an upload that becomes a source in the meantime is not deleted", async () => {
  const scope = await newCompany();
  const { id, storageKey } = await hold(scope);
  const { first, outcome } = meeting(scope, () => discardUpload(scope, SYSTEM_ACTOR, id));
  expect(await attachUpload(first, SYSTEM_ACTOR, id, {})).toEqual({ id, isNew: true });
  expect(await outcome).toMatchObject({ error: "NotFound" });
  expect(await objectStore().has(storageKey)).toBe(true);
  expect(await db.select().from(heldUploads).where(eq(heldUploads.id, id))).toMatchObject([{ attachedTo: id }]);
});

test.skipIf(env().databaseUrl === null)("an upload that is being deleted does not become a source", async () => {
  const scope = await newCompany();
  const { id, storageKey } = await hold(scope);
  const { first, outcome } = meeting(scope, () => attachUpload(scope, SYSTEM_ACTOR, id, {}));
  await discardUpload(first, SYSTEM_ACTOR, id);
  expect(await outcome).toMatchObject({ error: "NotFound" });
  expect(await objectStore().has(storageKey)).toBe(false);
  expect(await db.$count(sources, eq(sources.companyId, scope.companyId))).toBe(0);
});

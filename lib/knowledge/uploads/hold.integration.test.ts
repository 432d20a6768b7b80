import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { requireRow } from "../../db/require-row.ts";
import { heldUploads, sources } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { objectStore } from "../../storage/index.ts";
import { withSpooled } from "../../storage/spool.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany } from "../../testing/knowledge.ts";
import { startDuring } from "../../testing/start-during.ts";
import { attachUpload } from "./attach.ts";
import { discardUpload, holdUpload, UPLOADS_PER_COMPANY_MAX } from "./hold.ts";

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

// the embedded database runs one transaction after another
test.skipIf(env().databaseUrl === null)("an upload that becomes a source in the meantime is not deleted", async () => {
  const scope = await newCompany();
  const { id, storageKey } = await hold(scope);
  const { first, outcome } = startDuring(db, scope, () => discardUpload(scope, SYSTEM_ACTOR, id));
  expect(await attachUpload(first, SYSTEM_ACTOR, id, {})).toEqual({ id, isNew: true });
  expect(await outcome).toMatchObject({ error: "NotFound" });
  expect(await objectStore().has(storageKey)).toBe(true);
  expect(await db.select().from(heldUploads).where(eq(heldUploads.id, id))).toMatchObject([{ attachedTo: id }]);
});

test.skipIf(env().databaseUrl === null)("an upload that is being deleted does not become a source", async () => {
  const scope = await newCompany();
  const { id, storageKey } = await hold(scope);
  const { first, outcome } = startDuring(db, scope, () => attachUpload(scope, SYSTEM_ACTOR, id, {}));
  await discardUpload(first, SYSTEM_ACTOR, id);
  expect(await outcome).toMatchObject({ error: "NotFound" });
  expect(await objectStore().has(storageKey)).toBe(false);
  expect(await db.$count(sources, eq(sources.companyId, scope.companyId))).toBe(0);
});

test.skipIf(env().databaseUrl === null)("of two uploads at once, one exceeds the limit of a company", async () => {
  const scope = await newCompany();
  const {
    companyId,
    id: _,
    ...row
  } = await db
    .select()
    .from(heldUploads)
    .where(eq(heldUploads.id, (await hold(scope)).id))
    .then(requireRow);
  const others = Array.from({ length: UPLOADS_PER_COMPANY_MAX - 2 }, () => ({ ...row, companyId, id: randomUUID() }));
  await db.insert(heldUploads).values(others);
  const { first, outcome } = startDuring(db, scope, () => hold(scope));
  await hold(first);
  expect(await outcome).toMatchObject({ error: "ValidationError" });
  expect(await db.$count(heldUploads, eq(heldUploads.companyId, companyId))).toBe(UPLOADS_PER_COMPANY_MAX);
});

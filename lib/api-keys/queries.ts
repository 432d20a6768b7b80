import { and, desc, eq } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { requireRow } from "../db/require-row.ts";
import { apiKeys, testQuestions } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

interface KeyRef {
  companyId: CompanyId;
  id: string;
}

function isKey({ companyId, id }: KeyRef) {
  return and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, id));
}

export async function insertKey(tx: Transaction, values: typeof apiKeys.$inferInsert): Promise<KeyRow> {
  return requireRow(await tx.insert(apiKeys).values(values).returning());
}

export async function selectKeys(tx: Transaction, companyId: CompanyId): Promise<KeyRow[]> {
  return tx
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export async function selectKey(tx: Transaction, ref: KeyRef): Promise<KeyRow | undefined> {
  const [row] = await tx.select().from(apiKeys).where(isKey(ref));
  return row;
}

/** Selects the key and locks it, so that concurrent rotations run one after the other. */
export async function lockKey(tx: Transaction, ref: KeyRef): Promise<KeyRow | undefined> {
  const [row] = await tx.select().from(apiKeys).where(isKey(ref)).for("update");
  return row;
}

export async function updateKey(
  tx: Transaction,
  ref: KeyRef,
  values: Partial<typeof apiKeys.$inferInsert>,
): Promise<KeyRow> {
  return requireRow(await tx.update(apiKeys).set(values).where(isKey(ref)).returning());
}

/** Replaces a key with one that has the same access. From now on, its test questions are asked as the new key. */
export async function replaceKey(
  tx: Transaction,
  ref: KeyRef,
  values: { expiresAt: Date; replacedById: string },
): Promise<void> {
  await updateKey(tx, ref, values);
  // they stay unchanged: their outcomes hold for the replacement
  await tx
    .update(testQuestions)
    .set({ apiKeyId: values.replacedById })
    .where(and(eq(testQuestions.companyId, ref.companyId), eq(testQuestions.apiKeyId, ref.id)));
}

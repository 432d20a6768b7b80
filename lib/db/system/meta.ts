import { eq, sql } from "drizzle-orm";
import { connection } from "../client.ts";
import { meta } from "../schema/index.ts";

/** Rejects when the database is unavailable. */
export async function ping(): Promise<void> {
  await connection().db.execute(sql`select 1`);
}

export async function getMeta(key: string): Promise<unknown> {
  const [row] = await connection().db.select({ value: meta.value }).from(meta).where(eq(meta.key, key));
  return row?.value ?? null;
}

export async function setMeta(key: string, value: unknown): Promise<void> {
  await connection().db.insert(meta).values({ key, value }).onConflictDoUpdate({ target: meta.key, set: { value } });
}

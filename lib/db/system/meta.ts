import { eq } from "drizzle-orm";
import { connection } from "../client.ts";
import { meta } from "../schema/index.ts";

export async function getMeta(key: string): Promise<unknown> {
  const [row] = await connection().db.select({ value: meta.value }).from(meta).where(eq(meta.key, key));
  return row?.value ?? null;
}

export async function setMeta(key: string, value: unknown): Promise<void> {
  await connection().db.insert(meta).values({ key, value }).onConflictDoUpdate({ target: meta.key, set: { value } });
}

import { and, eq, gt, lte, not, or, sql } from "drizzle-orm";
import { connection } from "../client.ts";
import { requireRow } from "../require-row.ts";
import { sessions, users } from "../schema/index.ts";

/** @returns the id of the new session */
export async function createSession(values: typeof sessions.$inferInsert): Promise<string> {
  const row = requireRow(await connection().db.insert(sessions).values(values).returning({ id: sessions.id }));
  return row.id;
}

/** The user of a session that has neither expired nor been ended; null otherwise. */
export async function userOfSession(session: { id: string; userId: string }) {
  const [row] = await connection()
    .db.select({ user: users })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.sessionVersion, sessions.version)))
    .where(and(eq(sessions.id, session.id), eq(sessions.userId, session.userId), gt(sessions.expiresAt, sql`now()`)));
  return row?.user ?? null;
}

export async function deleteSession(id: string): Promise<void> {
  await connection().db.delete(sessions).where(eq(sessions.id, id));
}

/** Deletes the sessions for which `userOfSession` returns null. */
export async function deleteEndedSessions(): Promise<void> {
  const current = sql`exists (select from ${users} where ${users.id} = ${sessions.userId} and ${users.sessionVersion} = ${sessions.version})`;
  await connection()
    .db.delete(sessions)
    .where(or(lte(sessions.expiresAt, sql`now()`), not(current)));
}

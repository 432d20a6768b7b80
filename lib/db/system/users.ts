import { and, asc, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { connection, type Transaction } from "../client.ts";
import { foldEmail } from "../fold-email.ts";
import { requireRow } from "../require-row.ts";
import { companies, memberships, users, userTokens } from "../schema/index.ts";

export async function userByEmail(email: string) {
  const [row] = await connection()
    .db.select()
    .from(users)
    .where(eq(users.email, foldEmail(email)));
  return row ?? null;
}

export async function userById(id: string) {
  const [row] = await connection().db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Runs changes of users, and of what belongs to them, in one transaction. */
export async function changeUsers<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return connection().db.transaction(work);
}

export async function createUser(tx: Transaction, values: typeof users.$inferInsert) {
  return requireRow(
    await tx
      .insert(users)
      .values({ ...values, email: foldEmail(values.email) })
      .returning(),
  );
}

export async function updateUser(id: string, values: Partial<typeof users.$inferInsert>): Promise<void> {
  await connection().db.update(users).set(values).where(eq(users.id, id));
}

/**
 * Renames a user.
 * @param record runs in the same transaction, with the user as before and their companies
 */
export async function renameUser(
  id: string,
  name: string,
  record: (tx: Transaction, before: typeof users.$inferSelect, companies: Membership[]) => Promise<void>,
): Promise<void> {
  await connection().db.transaction(async (tx) => {
    const [before] = await tx.select().from(users).where(eq(users.id, id)).for("update");
    if (!before || before.name === name) return;
    await tx.update(users).set({ name }).where(eq(users.id, id));
    await record(tx, before, await selectMemberships(tx, id));
  });
}

export async function countUsers(): Promise<number> {
  return connection().db.$count(users);
}

/**
 * Counts a sign-in attempt before the password is checked, so that concurrent attempts count too.
 * @returns the user, or null when there is none or the pause after earlier failures has not ended
 */
export async function claimSignIn(
  email: string,
  rule: { freeTries: number; firstPauseSeconds: number; maxPauseSeconds: number },
) {
  const pause = sql`least(${rule.maxPauseSeconds}::float8,
    ${rule.firstPauseSeconds}::float8 * power(2, least(${users.failedSignIns} - ${rule.freeTries}, 20)))`;
  const [row] = await connection()
    .db.update(users)
    .set({
      failedSignIns: sql`${users.failedSignIns} + 1`,
      lockedUntil: sql`case when ${users.failedSignIns} >= ${rule.freeTries} then now() + ${pause} * interval '1 second' end`,
    })
    .where(and(eq(users.email, foldEmail(email)), or(isNull(users.lockedUntil), lte(users.lockedUntil, sql`now()`))))
    .returning();
  return row ?? null;
}

/** Ends every session of the user. */
export async function raiseSessionVersion(id: string): Promise<void> {
  await connection()
    .db.update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, id));
}

interface NewPassword {
  passwordHash: string;
  /** Stays as it is when missing. */
  emailProvenAt?: Date | null;
}

/** Like `setPasswordIn`, in a transaction of its own. */
export async function setPassword(id: string, values: NewPassword) {
  return connection().db.transaction((tx) => setPasswordIn(tx, id, values));
}

/**
 * Sets a new password, which ends every session of the user, their unused password links, and a pause after failed
 * attempts.
 * @returns the user, with the version for new sessions
 */
export async function setPasswordIn(tx: Transaction, id: string, values: NewPassword) {
  const sessionVersion = sql`${users.sessionVersion} + 1`;
  const user = requireRow(
    await tx
      .update(users)
      .set({ ...values, sessionVersion, failedSignIns: 0, lockedUntil: null })
      .where(eq(users.id, id))
      .returning(),
  );
  const { kind, email, usedAt } = userTokens;
  const unused = tx
    .select({ id: userTokens.id })
    .from(userTokens)
    .where(and(eq(kind, "password_reset"), eq(email, user.email), isNull(usedAt)))
    // a link that someone is using now waits for this user
    .for("update", { skipLocked: true });
  await tx.delete(userTokens).where(inArray(userTokens.id, unused));
  return user;
}

type Membership = Awaited<ReturnType<typeof selectMemberships>>[number];

/** The companies of a person, with the role in each. */
export async function membershipsOf(userId: string) {
  return selectMemberships(connection().db, userId);
}

function selectMemberships(db: Pick<Transaction, "select">, userId: string) {
  return db
    .select({
      companyId: companies.id,
      name: companies.name,
      isSample: companies.isSample,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(companies.name), asc(companies.id));
}

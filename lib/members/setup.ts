import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { createFirstCompany } from "../companies/service.ts";
import type { Transaction } from "../db/client.ts";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { meta, users } from "../db/schema/index.ts";
import { getMeta, setMeta } from "../db/system/meta.ts";
import { countUsers } from "../db/system/users.ts";
import { AppError, parseInput } from "../errors.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { type SetupInput, setupInput } from "./schema.ts";
import { hashLinkToken } from "./token.ts";

const META_KEY = "setupCode";

/**
 * Creates a code for the first visit to `/setup`, shown in the operator's terminal. The previous code stops working.
 * @returns null when there is a user already
 */
export async function createSetupCode(): Promise<string | null> {
  if (!(await hasNoUser())) return null;
  const code = generatePassword();
  await setMeta(META_KEY, hashLinkToken(code));
  return code;
}

/** Whether the first admin still has to be created. */
export async function setupIsOpen(): Promise<boolean> {
  return hasNoUser();
}

/**
 * Creates the first company and its admin, and uses up the code, in one transaction.
 * @throws {AppError} ValidationError, at `code` when the code is wrong; Conflict when someone else was first
 */
export async function completeSetup(input: SetupInput): Promise<{ userId: string; companyId: string }> {
  const { code, companyName, name, email, password } = parseInput(setupInput, input);
  // checked before the hash, so that a wrong code costs no CPU
  if (!(await isValidCode(code))) await throwCodeError();
  const passwordHash = await hashPassword(password);
  const userId = randomUUID();
  const company = await createFirstCompany({ id: userId, name }, { name: companyName }, (tx) =>
    insertFirstUser(tx, code, { id: userId, email, name, passwordHash, emailProvenAt: new Date() }),
  );
  return { userId, companyId: company.id };
}

async function insertFirstUser(tx: Transaction, code: string, values: typeof users.$inferInsert): Promise<void> {
  // only one transaction can delete the code, so a concurrent set-up fails
  const used = await tx
    .delete(meta)
    .where(and(eq(meta.key, META_KEY), eq(meta.value, sql`${JSON.stringify(hashLinkToken(code))}::jsonb`)))
    .returning({ key: meta.key });
  if ((await tx.$count(users)) > 0) throw alreadySetUpError();
  if (used.length === 0) throw wrongCodeError();
  await tx.insert(users).values(values);
}

async function isValidCode(code: string): Promise<boolean> {
  return (await withDatabaseTimeout(getMeta(META_KEY))) === hashLinkToken(code);
}

async function throwCodeError(): Promise<never> {
  throw (await hasNoUser()) ? wrongCodeError() : alreadySetUpError();
}

function alreadySetUpError(): AppError {
  return new AppError("Conflict", "Ragstone is already set up. Sign in.");
}

function wrongCodeError(): AppError {
  const message = "is not the set-up code. The terminal shows it when the server starts.";
  return new AppError("ValidationError", `The code ${message}`, { fields: { issues: [{ path: "code", message }] } });
}

async function hasNoUser(): Promise<boolean> {
  return (await withDatabaseTimeout(countUsers())) === 0;
}

import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { createFirstCompany } from "../companies/service.ts";
import type { Transaction } from "../db/client.ts";
import { meta, users } from "../db/schema/index.ts";
import { getMeta, setMeta } from "../db/system/meta.ts";
import { countUsers } from "../db/system/people.ts";
import { AppError, parseInput } from "../errors.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { type SetupInput, setupInput } from "./schema.ts";
import { hashLinkToken } from "./token.ts";

const META_KEY = "setupCode";

/**
 * A new code for the first visit to `/setup`, for the operator's terminal; the one before stops working.
 * @returns null when there is a user already
 */
export async function createSetupCode(): Promise<string | null> {
  if (!(await noUserYet())) return null;
  const code = generatePassword();
  await setMeta(META_KEY, hashLinkToken(code));
  return code;
}

/** Whether the first admin is still to come. */
export async function setupIsOpen(): Promise<boolean> {
  return noUserYet();
}

/**
 * The first company and its admin, in one transaction with the end of the code.
 * @throws {AppError} ValidationError, at `code` when it is not the one; Conflict when someone was first
 */
export async function completeSetup(input: SetupInput): Promise<{ userId: string; companyId: string }> {
  const { code, companyName, name, email, password } = parseInput(setupInput, input);
  // a guess costs no hash
  if (!(await isCode(code))) await refuseCode();
  const passwordHash = await hashPassword(password);
  const userId = randomUUID();
  const company = await createFirstCompany({ id: userId, name }, { name: companyName }, (tx) =>
    makeFirstUser(tx, code, { id: userId, email, name, passwordHash, emailProvenAt: new Date() }),
  );
  return { userId, companyId: company.id };
}

async function makeFirstUser(tx: Transaction, code: string, values: typeof users.$inferInsert): Promise<void> {
  // whoever deletes the code has it alone, so a second set-up at the same time finds none
  const used = await tx
    .delete(meta)
    .where(and(eq(meta.key, META_KEY), eq(meta.value, sql`${JSON.stringify(hashLinkToken(code))}::jsonb`)))
    .returning({ key: meta.key });
  if ((await tx.$count(users)) > 0) throw isSetUp();
  if (used.length === 0) throw wrongCode();
  await tx.insert(users).values(values);
}

async function isCode(code: string): Promise<boolean> {
  return (await getMeta(META_KEY)) === hashLinkToken(code);
}

async function refuseCode(): Promise<never> {
  throw (await noUserYet()) ? wrongCode() : isSetUp();
}

function isSetUp(): AppError {
  return new AppError("Conflict", "Ragstone is already set up. Sign in");
}

function wrongCode(): AppError {
  const message = "is not the set-up code. The terminal shows it when the server starts";
  return new AppError("ValidationError", `The code ${message}`, { fields: { issues: [{ path: "code", message }] } });
}

async function noUserYet(): Promise<boolean> {
  return (await countUsers()) === 0;
}

import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { type BulkheadPolicy, bulkhead, isBulkheadRejectedError } from "cockatiel";
import { AppError } from "../errors.ts";

/** OWASP's parameters for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GENERATED_GROUPS = 4;
const GROUP_LENGTH = 5;

/** Each hash takes a core for some 30 ms: others' requests keep one, and libuv half of its threads for files and names. */
const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Waits for about half a second at most. */
const HASHES_WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 5;

// on globalThis, because a bundled server may hold this module more than once
const holder = globalThis as typeof globalThis & { ragstoneHashSlots?: BulkheadPolicy };

/** @throws {AppError} TooManyRequests when too many wait already, before any work is done */
async function inSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  holder.ragstoneHashSlots ??= bulkhead(HASHES_AT_ONCE, HASHES_WAITING_MAX);
  try {
    return await holder.ragstoneHashSlots.execute(work);
  } catch (error) {
    if (!isBulkheadRejectedError(error)) throw error;
    throw new AppError("TooManyRequests", "Too many sign-ins at the moment. Retry in a few seconds.", {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    });
  }
}

/** Argon2id, with salt and parameters in the string. @throws {AppError} TooManyRequests */
export async function hashPassword(password: string): Promise<string> {
  return inSlot(() => hash(password, ARGON2ID));
}

let decoy: Promise<string> | undefined;

/**
 * Who `find` finds, when the password is theirs; null otherwise. It takes the same time whether they have a password,
 * another one, or do not exist. `find` is not called when too many sign-ins wait, so a flood counts as nobody's failure.
 * @throws {AppError} TooManyRequests
 */
export async function findByPassword<Owner extends { passwordHash: string | null }>(
  find: () => Promise<Owner | null>,
  password: string,
): Promise<Owner | null> {
  return inSlot(async () => {
    const owner = await find();
    decoy ??= hash("nobody's password", ARGON2ID);
    const matches = await verify(owner?.passwordHash ?? (await decoy), password);
    return owner?.passwordHash && matches ? owner : null;
  });
}

/** A password for a person to copy: 20 characters in four groups, 100 random bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
  return Array.from({ length: GENERATED_GROUPS }, group).join("-");
}

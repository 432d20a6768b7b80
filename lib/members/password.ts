import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { bulkhead, isBulkheadRejectedError } from "cockatiel";
import { AppError } from "../errors.ts";
import { singleton } from "../singleton.ts";

/** OWASP's parameters for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Lower-case letters and digits without those that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GENERATED_GROUPS = 4;
const GROUP_LENGTH = 5;

/**
 * A hash takes a core for about 30 ms: one core stays free for other requests, and half of libuv's threads for files
 * and names.
 */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1));
/** A queue of this length takes about half a second. */
const MAX_QUEUED_HASHES = 20;
const RETRY_AFTER_SECONDS = 5;

const HASH_LIMIT = singleton("hashLimit", () => bulkhead(MAX_CONCURRENT_HASHES, MAX_QUEUED_HASHES));

/** @throws {AppError} TooManyRequests when the queue is full, before any work is done */
async function runWithLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await HASH_LIMIT.get().execute(work);
  } catch (error) {
    throw isBulkheadRejectedError(error) ? tooManySignIns() : error;
  }
}

function tooManySignIns(): AppError {
  return new AppError("TooManyRequests", "Too many sign-ins at the moment. Retry in a few seconds.", {
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}

/**
 * For work that comes before a hash and would be lost when the queue is full.
 * @throws {AppError} TooManyRequests
 */
export function requireHashSlot(): void {
  const { executionSlots, queueSlots } = HASH_LIMIT.get();
  if (executionSlots + queueSlots === 0) throw tooManySignIns();
}

/**
 * Hashes a password with Argon2id; the result includes salt and parameters.
 * @throws {AppError} TooManyRequests
 */
export async function hashPassword(password: string): Promise<string> {
  return runWithLimit(() => hash(password, ARGON2ID));
}

let decoy: Promise<string> | undefined;

/**
 * Returns the owner that `find` finds if the password is right, else null. Takes the same time for a wrong password, an
 * owner without a password and an unknown owner. When too many sign-ins are queued, `find` is not called, so a flood
 * does not count as failed attempts.
 * @throws {AppError} TooManyRequests
 */
export async function findByPassword<Owner extends { passwordHash: string | null }>(
  find: () => Promise<Owner | null>,
  password: string,
): Promise<Owner | null> {
  return runWithLimit(async () => {
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

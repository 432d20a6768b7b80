import { randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

/** OWASP's parameters for Argon2id: 19 MiB, two passes, one lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GENERATED_GROUPS = 4;
const GROUP_LENGTH = 5;

/** Argon2id, with salt and parameters in the string. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}

let decoy: Promise<string> | undefined;

/** Takes the same time whether the user has a password, another one, or does not exist (`null`). */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("nobody's password");
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== null && matches;
}

/** A password for a person to copy: 20 characters in four groups, 100 random bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
  return Array.from({ length: GENERATED_GROUPS }, group).join("-");
}

import { randomBytes } from "node:crypto";
import { sha256 } from "../sha256.ts";

const BYTES = 32;

/** A token for a link: 43 characters of base64url, 256 random bits. */
export function generateLinkToken(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** The stored hash of a link token or of the set-up code. */
export function hashLinkToken(token: string): string {
  return sha256(token);
}

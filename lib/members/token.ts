import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** A token for a link: 43 characters of base64url, 256 random bits. */
export function generateLinkToken(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** The stored hash of a link token or of the set-up code. */
export function hashLinkToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

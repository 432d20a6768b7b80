import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "../env.ts";

const FILE = "auth-secret";
const BYTES = 32;

let cached: string | undefined;

/** What sessions are encrypted with: `AUTH_SECRET`, else a secret that is made once and kept in `DATA_DIR`, mode 0600. */
export function authSecret(): string {
  cached ??= env().authSecret ?? secretOf(env().dataDir);
  return cached;
}

/** The secret of a data folder, made when it has none. */
export function secretOf(dataDir: string): string {
  const path = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true });
  try {
    // fails when it exists, so of two that start at once one makes it and both read it
    writeFileSync(path, randomBytes(BYTES).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(path, "utf8").trim();
}

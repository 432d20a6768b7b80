import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";

const BYTES = 32;

let cached: string | undefined;

/**
 * The secret that encrypts sessions: `AUTH_SECRET`, else one that is created once and stored in `DATA_DIR`, mode 0600.
 */
export function authSecret(): string {
  cached ??= env().authSecret ?? secretOf(env().dataDir);
  return cached;
}

/** Returns the secret of a data folder; creates it when there is none. */
export function secretOf(dataDir: string): string {
  const path = dataPaths(dataDir).authSecret;
  mkdirSync(dataDir, { recursive: true });
  try {
    // fails when the file exists, so when two processes start together, one creates the secret and both read it
    writeFileSync(path, randomBytes(BYTES).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(path, "utf8").trim();
}

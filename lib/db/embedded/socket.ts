import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Options } from "postgres";
import { sha256 } from "../../sha256.ts";

// sockaddr_un holds 104 bytes on macOS and 108 on Linux, including the final zero
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * The socket path of the embedded database of `dataDir`: inside the folder or, when that path is too long for a socket,
 * in a private folder below the system's temporary folder.
 */
export function socketPath(dataDir: string): string {
  const inside = join(resolve(dataDir), "run", "postgres.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return inside;
  const name = sha256(resolve(dataDir)).slice(0, 16);
  return join(tmpdir(), `ragstone-${process.getuid?.() ?? 0}-${name}`, "postgres.sock");
}

/**
 * Creates the folder of a socket, private to this user.
 * @throws Error when the folder belongs to another user or is open to others
 */
export function makeSocketFolder(path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isOwn = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  if (!isOwn || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} must be your own folder with mode 0700. Run chmod 700 on it, or set another DATA_DIR.`);
}

/**
 * Options for postgres.js to connect to the embedded database of `dataDir`. All clients share one session, so settings
 * must be local to a transaction.
 */
export function embeddedConnectionOptions(dataDir: string) {
  return {
    path: socketPath(dataDir),
    user: "postgres",
    database: "postgres",
    ssl: false,
    prepare: false,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => undefined,
  } satisfies Options<Record<string, never>>;
}

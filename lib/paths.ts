import { join } from "node:path";

/** What lies where in `DATA_DIR`; the socket and the lock of the embedded database are that module's own business. */
export function dataPaths(dataDir: string) {
  return {
    /** The embedded database's own files. */
    database: join(dataDir, "db"),
    /** Originals of uploaded files, when no object store is set. */
    files: join(dataDir, "files"),
    /** Files on their way in, removed when they are kept or refused; no key of an original begins with a dot. */
    incoming: join(dataDir, "files", ".incoming"),
    /** Logical backups, the last seven kept. */
    backups: join(dataDir, "backups"),
    /** The secret that sessions are signed with, when the environment gives none. */
    authSecret: join(dataDir, "auth-secret"),
  };
}

import { join } from "node:path";

/** Paths in `DATA_DIR`. The socket and the lock of the embedded database are private to its module. */
export function dataPaths(dataDir: string) {
  const files = join(dataDir, "files");
  return {
    /** Files of the embedded database. */
    database: join(dataDir, "db"),
    /** Originals of uploaded files, when no object store is set. */
    files,
    /** Uploads in progress, removed when they are stored or refused. No key of an original starts with a dot. */
    incoming: join(files, ".incoming"),
    /** Names of originals that are stored, but that the database may not know yet. */
    recordedPuts: join(files, ".recorded"),
    /** Logical backups. The last seven automatic ones of each kind are kept. */
    backups: join(dataDir, "backups"),
    /** The secret that encrypts sessions, when the environment sets none. */
    authSecret: join(dataDir, "auth-secret"),
  };
}

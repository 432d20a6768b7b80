import { afterAll } from "vitest";
import { type Connection, closeConnection, connect } from "../db/client.ts";
import { env } from "../env.ts";
import { untilCachesRefreshed } from "../retrieval/memory/refresh-caches.ts";

/**
 * A connection of the test's own to the migrated database of the integration tests, shared by all their files, which
 * run one after another. A test creates the companies that it needs and must expect others. All connections are closed
 * after the file.
 */
export function testDatabase(): Connection {
  const { databaseUrl, dataDir } = env();
  const own = connect(databaseUrl ? { url: databaseUrl } : { dataDir });
  afterAll(async () => {
    await untilCachesRefreshed();
    await own.close();
    await closeConnection();
  });
  return own;
}

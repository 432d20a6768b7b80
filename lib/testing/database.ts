import { afterAll } from "vitest";
import { type Connection, closeConnection, connection } from "../db/client.ts";

/**
 * The migrated database of the integration tests, shared by all their files, which run one after another. A test
 * creates the companies that it needs and must expect others. The pool is closed after the file.
 */
export function testDatabase(): Connection {
  afterAll(closeConnection);
  return connection();
}

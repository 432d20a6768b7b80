import { afterAll } from "vitest";
import { type Connection, closeConnection, connection } from "../db/client.ts";

/**
 * The integration tests' database: migrated, and shared by all their files, which run one after the other. So a test makes
 * the companies that it needs and expects to find others. The pool is closed after the file.
 */
export function testDatabase(): Connection {
  afterAll(closeConnection);
  return connection();
}

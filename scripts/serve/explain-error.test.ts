import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { explain } from "./explain-error.ts";

const refused = Object.assign(new Error("cannot execute CREATE SCHEMA in a read-only transaction"), { code: "25006" });

test.each([
  ["itself", refused],
  ["the cause of a failed query", new DrizzleQueryError("create schema ragstone", [], refused)],
])("a read-only database is explained in one line, when its error is %s", (_, error) => {
  expect(explain(error)).toMatch(/^the database accepts no changes\. Set DATABASE_URL [^\n]+$/);
});

test("an unknown host is not taken for HOST when another connection caused the error", () => {
  const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND db.example.com"), { code: "ENOTFOUND" });
  expect(explain(new DrizzleQueryError("select 1", [], unknown))).not.toContain("HOST");
});

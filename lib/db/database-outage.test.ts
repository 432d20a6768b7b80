import postgres from "postgres";
import { expect, test } from "vitest";
import { isDatabaseUnavailable } from "./database-outage.ts";

async function failureOf(sql: postgres.Sql): Promise<unknown> {
  const error = await sql`select 1`.catch((failure: unknown) => failure);
  await sql.end({ timeout: 0 });
  return error;
}

test("nothing listens on the port: unavailable", async () => {
  const error = await failureOf(postgres("postgres://127.0.0.1:1/x", { max: 1, connect_timeout: 2 }));
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test("the host is unknown: unavailable", async () => {
  const error = await failureOf(postgres("postgres://database.invalid/x", { max: 1, connect_timeout: 2 }));
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test("the socket of the embedded database is missing: unavailable", async () => {
  const error = await failureOf(postgres({ path: "/nonexistent/.s.PGSQL.5432", max: 1, connect_timeout: 2 }));
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each(["57P01", "57P02", "57P03", "53300", "08006", "CONNECT_TIMEOUT", "CONNECTION_CLOSED"])(
  "%s, wrapped by the query builder",
  (code) => {
    const cause = Object.assign(new Error("gone"), { code });
    expect(isDatabaseUnavailable(new Error("Failed query", { cause }))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([new Error("x"), cause]))).toBe(true);
  },
);

test.each([
  new Error("x"),
  Object.assign(new Error("duplicate key"), { code: "23505" }),
  Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" }),
  "text",
  null,
])("%s: not an outage", (error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});

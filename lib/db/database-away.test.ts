import postgres from "postgres";
import { expect, test } from "vitest";
import { isDatabaseAway } from "./database-away.ts";

async function failureOf(sql: postgres.Sql): Promise<unknown> {
  const error = await sql`select 1`.catch((failure: unknown) => failure);
  await sql.end({ timeout: 0 });
  return error;
}

test("nobody listens on the port", async () => {
  const error = await failureOf(postgres("postgres://127.0.0.1:1/x", { max: 1, connect_timeout: 2 }));
  expect(isDatabaseAway(error)).toBe(true);
});

test("the socket of the embedded database is not there", async () => {
  const error = await failureOf(postgres({ path: "/nonexistent/.s.PGSQL.5432", max: 1, connect_timeout: 2 }));
  expect(isDatabaseAway(error)).toBe(true);
});

test.each(["57P01", "57P02", "57P03", "53300", "08006", "CONNECT_TIMEOUT", "CONNECTION_CLOSED"])(
  "%s, wrapped by the query builder",
  (code) => {
    const cause = Object.assign(new Error("gone"), { code });
    expect(isDatabaseAway(new Error("Failed query", { cause }))).toBe(true);
    expect(isDatabaseAway(new AggregateError([new Error("x"), cause]))).toBe(true);
  },
);

test.each([
  new Error("x"),
  Object.assign(new Error("duplicate key"), { code: "23505" }),
  Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" }),
  "text",
  null,
])("%s is a fault of ours", (error) => {
  expect(isDatabaseAway(error)).toBe(false);
});

import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";
import { createLogger } from "./log.ts";

const canary = "the customer said hello";

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
}

test.each([
  ["a failed query", new DrizzleQueryError(`select '${canary}'`, [canary], new Error(`invalid input: "${canary}"`))],
  ["a parser", thrownBy(() => JSON.parse(canary))],
  ["several lines", new Error(`first\n${canary}`)],
  ["a cause", new Error("outer", { cause: new Error(`value "${canary}" is wrong`) })],
  ["no error at all", canary],
])("content does not reach the log: %s", (_, error) => {
  expect(JSON.stringify(describeError(error))).not.toContain("customer");
});

test("keeps name, code, message, frames and cause", () => {
  const cause = Object.assign(new Error("duplicate key value"), { code: "23505" });
  const described = describeError(new TypeError("x is not a function", { cause }));
  expect(described).toMatchObject({ name: "TypeError", message: "x is not a function", cause: { code: "23505" } });
  expect(described.stack.length).toBeGreaterThan(0);
  expect(described.stack.every((line) => line.startsWith("    at "))).toBe(true);
});

test("stops at a cycle of causes", () => {
  const error = new Error("x");
  error.cause = error;
  expect(() => JSON.stringify(describeError(error))).not.toThrow();
});

test("the logger describes errors logged as err in the same way", () => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => void lines.push(line) });
  logger.error({ err: new DrizzleQueryError(`select '${canary}'`, [canary], new Error("gone")) }, "failed");
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("customer");
  expect(lines[0]).toContain("gone");
});

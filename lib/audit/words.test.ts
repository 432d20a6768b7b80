import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actionWords, detailWords } from "./words.ts";

test("every action that the product writes has words of its own", () => {
  const written = globSync("lib/**/*.ts", { exclude: ["**/*.test.ts"] }).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/action: "([a-z_]+\.[a-z_]+)"/g)].map(([, action = ""]) => action),
  );
  expect(written.length).toBeGreaterThan(8);
  const plain = (action: string) => action.replaceAll(/[._]/g, " ");
  expect(written.filter((action) => actionWords(action) === plain(action))).toEqual([]);
  expect(actionWords("thing.un_done")).toBe("thing un done");
});

test("details are read as words: no ids, nothing empty, policies spread out", () => {
  const detail = {
    expiresAt: "2027-01-31T12:00:00.000Z",
    rateLimitPerMinute: null,
    replacedById: "7e1f",
    policy: { audience: ["copilot", "ai_agent"], answers: false, path: [] },
    from: "Old name",
  };
  expect(detailWords(detail)).toEqual([
    "from: Old name",
    "expires: 2027-01-31 12:00 UTC",
    "audience: copilot, ai_agent",
    "AI answers: no",
  ]);
  expect(detailWords({ to: "ACTIVE", plan: "scale", from: "CANCELLED" })).toEqual(["CANCELLED → ACTIVE"]);
});

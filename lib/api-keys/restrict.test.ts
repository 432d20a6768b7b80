import { expect, test } from "vitest";
import { KEY_SCOPES, SOURCE_TYPES } from "../db/column-values.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import { fc } from "../testing/property.ts";
import { type KeyLimits, limitChanges, widenings } from "./restrict.ts";

const KEY: KeyLimits = {
  expiresAt: new Date("2030-01-31T00:00:00Z"),
  rateLimitPerMinute: 60,
  scopes: ["retrieve", "manage"],
  policy: { audience: ["ai_agent", "copilot"], path: ["Policies"], limit: 10 },
};
const options = { defaultPerMinute: 600 };

const wider = (part: Partial<KeyLimits>) => widenings(KEY, { ...KEY, ...part }, options).map(({ path }) => path);
const widerPolicy = (part: KeyPolicy) => wider({ policy: { ...KEY.policy, ...part } });

test("less access is not a widening", () => {
  expect(wider({})).toEqual([]);
  expect(wider({ expiresAt: new Date("2029-12-31T00:00:00Z") })).toEqual([]);
  expect(wider({ rateLimitPerMinute: 1 })).toEqual([]);
  expect(wider({ scopes: ["ingest"] })).toEqual([]);
  expect(widerPolicy({ audience: ["copilot"], path: ["Policies", "Contract"], limit: 3, answers: false })).toEqual([]);
  expect(widerPolicy({ sourceTypes: ["qa"], contentCategory: ["price"] })).toEqual([]);
  expect(widerPolicy({ audience: [], path: [] })).toEqual([]);
});

test("more access is refused at its field", () => {
  expect(wider({ expiresAt: null })).toEqual(["expiresAt"]);
  expect(wider({ rateLimitPerMinute: 0 })).toEqual(["rateLimitPerMinute"]);
  expect(wider({ rateLimitPerMinute: null })).toEqual(["rateLimitPerMinute"]);
  expect(wider({ policy: {} })).toEqual(["policy.audience", "policy.path", "policy.limit"]);
  expect(widerPolicy({ audience: ["copilot", "internal"] })).toEqual(["policy.audience"]);
  expect(widerPolicy({ path: ["Prices"] })).toEqual(["policy.path"]);
  const silent = { ...KEY, scopes: ["retrieve" as const], policy: { answers: false, path: [] } };
  expect(
    widenings(silent, { ...silent, scopes: ["retrieve", "ingest"], policy: { path: ["Policies"] } }, options).map(
      ({ path }) => path,
    ),
  ).toEqual(["scopes", "policy.path", "policy.answers"]);
});

test("without a limit of its own, a key has the installation's", () => {
  const usual = { ...KEY, rateLimitPerMinute: null };
  expect(widenings(usual, { ...usual, rateLimitPerMinute: 600 }, options)).toEqual([]);
  expect(widenings(usual, { ...usual, rateLimitPerMinute: 601 }, options)).toHaveLength(1);
  expect(widenings(usual, { ...usual, rateLimitPerMinute: 601 }, { defaultPerMinute: 0 })).toEqual([]);
});

const names = fc.option(fc.subarray(["a", "b", "c"]), { nil: undefined });
const policies = fc.record(
  {
    audience: names,
    contentCategory: names,
    path: names,
    sourceTypes: fc.option(fc.subarray([...SOURCE_TYPES]), { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    answers: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Whether a policy lets a chunk through, as decisions on policies say. */
function sees(policy: KeyPolicy, chunk: Required<Pick<KeyPolicy, "audience" | "contentCategory" | "path">>): boolean {
  const { audience, contentCategory, path } = policy;
  return (
    (!audience || chunk.audience.some((name) => audience.includes(name))) &&
    (!contentCategory || chunk.contentCategory.some((name) => contentCategory.includes(name))) &&
    (!path || (path.length > 0 && path.every((segment, depth) => chunk.path[depth] === segment)))
  );
}

test("what a restricted key sees, the key saw before", () => {
  const chunk = fc.record({
    audience: fc.subarray(["a", "b", "c"]),
    contentCategory: fc.subarray(["a", "b", "c"], { minLength: 1, maxLength: 1 }),
    path: fc.subarray(["a", "b", "c"]),
  });
  fc.assert(
    fc.property(policies, policies, chunk, (before, after, chunk) => {
      const issues = widenings({ ...KEY, policy: before }, { ...KEY, policy: after }, options);
      fc.pre(issues.length === 0 && sees(after, chunk));
      expect(sees(before, chunk)).toBe(true);
    }),
    { numRuns: 300, maxSkipsPerRun: 10_000 },
  );
});

test("the changes name each changed field with its values before and after", () => {
  const after: KeyLimits = { ...KEY, scopes: ["retrieve"], policy: { ...KEY.policy, contentCategory: ["price"] } };
  expect(limitChanges(KEY, after)).toEqual({
    scopes: { from: KEY_SCOPES.filter((scope) => scope !== "ingest"), to: ["retrieve"] },
    contentCategory: { from: "any", to: ["price"] },
  });
  expect(limitChanges(KEY, { ...KEY })).toEqual({});
});

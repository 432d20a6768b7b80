import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../start/run.mjs";
import { describeFailures, playwrightOutcome, runOutcome, vitestOutcome } from "./outcomes.mjs";

it("counts a file that did not load as a failed test, and says why", () => {
  const report = {
    ...{ numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 },
    testResults: [
      { name: join(root, "lib/broken.test.ts"), status: "failed", message: "no such module", assertionResults: [] },
      {
        ...{ name: join(root, "lib/wrong.test.ts"), status: "failed" },
        assertionResults: [
          { fullName: "sums adds", status: "failed", failureMessages: ["\u001b[31mexpected 3\u001b[39m"] },
          { fullName: "sums subtracts", status: "passed", failureMessages: [] },
        ],
      },
    ],
  };
  expect(vitestOutcome(report)).toEqual({
    ...{ passed: 1, failed: 2, skipped: 0 },
    failures: [
      { name: "lib/broken.test.ts: did not load", reason: "no such module" },
      { name: "lib/wrong.test.ts: sums adds", reason: "expected 3" },
    ],
  });
});

it("counts skipped tests and tests to do as skipped, not as passed or failed", () => {
  const assertionResults = [
    { fullName: "one", status: "passed" },
    { fullName: "two", status: "skipped" },
    { fullName: "three", status: "todo" },
  ];
  const report = {
    ...{ numPassedTests: 1, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 },
    testResults: [{ name: join(root, "lib/some.test.ts"), status: "passed", assertionResults }],
  };
  expect(vitestOutcome(report)).toEqual({ passed: 1, failed: 0, skipped: 2, failures: [] });
});

it("counts a browser test that passed when repeated as passed, and names the failed ones with place and reason", () => {
  const spec = (title: string, line: number, ok: boolean) => ({
    ...{ file: "dashboard/pages.spec.ts", title, line, ok },
    tests: [{ results: ok ? [{}] : [{ error: { message: "no such button" } }] }],
  });
  const report = {
    stats: { expected: 2, flaky: 1, unexpected: 1, skipped: 1 },
    errors: [],
    suites: [
      {
        specs: [spec("opens", 5, true), spec("flickers", 9, true)],
        suites: [{ specs: [spec("closes", 20, false), spec("waits", 30, true)] }],
      },
    ],
  };
  expect(playwrightOutcome(report)).toEqual({
    ...{ passed: 3, failed: 1, skipped: 1 },
    failures: [{ name: "e2e/dashboard/pages.spec.ts:20: closes", reason: "no such button" }],
  });
});

it("counts a browser error outside the tests as a failure", () => {
  const report = { stats: { expected: 0, flaky: 0, unexpected: 0, skipped: 0 }, errors: [{}], suites: [] };
  expect(playwrightOutcome(report)).toMatchObject({ passed: 0, failed: 1 });
});

it("counts a run that failed without a failed test, or without a report, as one failure", () => {
  const passed = { passed: 3, failed: 0, skipped: 1, failures: [] };
  expect(runOutcome(passed, true)).toEqual(passed);
  expect(runOutcome(passed, false)).toEqual({ ...passed, failed: 1 });
  expect(runOutcome({ ...passed, failed: 2 }, false)).toMatchObject({ failed: 2 });
  expect(runOutcome(undefined, false)).toEqual({ passed: 0, failed: 1, skipped: 0, failures: [] });
});

it("lists each failed test with the first lines of its reason", () => {
  const assertionResults = [
    { fullName: "sums adds", status: "failed", failureMessages: [["wrong", "", ...Array(20).fill("at")].join("\n")] },
  ];
  const testResults = [{ name: join(root, "lib/sums.test.ts"), status: "failed", assertionResults }];
  const counts = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
  const lines = describeFailures(vitestOutcome({ ...counts, testResults }).failures).split("\n");
  expect(lines.slice(0, 4)).toEqual(["  lib/sums.test.ts: sums adds", "      wrong", "", "      at"]);
  expect(lines).toHaveLength(13);
});

import { relative } from "node:path";
import { root } from "../start/run.mjs";

/** The outcome of a run. One that failed without a failed test, or without a report, counts as one failure. */
export function runOutcome(reported, succeeded) {
  const outcome = reported ?? { passed: 0, failed: 0, skipped: 0, names: [] };
  return succeeded || outcome.failed > 0 ? outcome : { ...outcome, failed: 1 };
}

/** The counts in Vitest's report, and the names of the failed tests. */
export function vitestOutcome(report) {
  return {
    passed: report.numPassedTests,
    // a file that cannot be loaded has no tests to fail
    failed: report.numFailedTests + report.testResults.filter(failedToLoad).length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: report.testResults.flatMap(failedIn),
  };
}

function failedToLoad({ status, assertionResults }) {
  return status === "failed" && assertionResults.length === 0;
}

function failedIn({ name: file, status, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
  return (status === "failed" && failed.length === 0 ? ["did not load"] : failed).map(
    (name) => `${relative(root, file)}: ${name}`,
  );
}

/** The counts in Playwright's report, and the names of the failed tests. */
export function playwrightOutcome({ stats, errors, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    names: suites.flatMap(failedSpecs),
  };
}

function failedSpecs({ specs = [], suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `e2e/${file}:${line}: ${title}`);
  return [...failed, ...suites.flatMap(failedSpecs)];
}

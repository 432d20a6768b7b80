import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "../start/run.mjs";

const REASON_LINES_MAX = 12;

/** The outcome of a run. One that failed without a failed test, or without a report, counts as one failure. */
export function runOutcome(reported, succeeded) {
  const outcome = reported ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
  return succeeded || outcome.failed > 0 ? outcome : { ...outcome, failed: 1 };
}

/** The counts in Vitest's report, and the failed tests with their reasons. */
export function vitestOutcome(report) {
  return {
    passed: report.numPassedTests,
    // a file that cannot be loaded has no tests to fail
    failed: report.numFailedTests + report.testResults.filter(failedToLoad).length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failedIn),
  };
}

function failedToLoad({ status, assertionResults }) {
  return status === "failed" && assertionResults.length === 0;
}

function failedIn({ name: file, message, status, assertionResults }) {
  const place = relative(root, file);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && failed.length === 0) return [failure(`${place}: did not load`, message)];
  return failed.map(({ fullName, failureMessages }) => failure(`${place}: ${fullName}`, failureMessages?.[0]));
}

/** The counts in Playwright's report, and the failed tests with their reasons. */
export function playwrightOutcome({ stats, errors, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: suites.flatMap(failedSpecs),
  };
}

function failedSpecs({ specs = [], suites = [] }) {
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []));
      return failure(`e2e/${file}:${line}: ${title}`, errors.at(-1));
    });
  return [...failed, ...suites.flatMap(failedSpecs)];
}

/** @param message may have terminal colours and a long stack; its first lines say why the test failed */
function failure(name, message = "") {
  const lines = stripVTControlCharacters(message).trim().split("\n");
  return { name, reason: lines.slice(0, REASON_LINES_MAX).join("\n") };
}

/** The lines for a summary: each failed test, and its reason indented below it. */
export function describeFailures(failures) {
  const indent = (text, width) => text.replace(/^(?=.)/gm, " ".repeat(width));
  return failures.map(({ name, reason }) => `${indent(name, 2)}\n${indent(reason, 6)}`.trimEnd()).join("\n");
}

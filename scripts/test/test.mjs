// `npm test`: runs all checks that this machine can run, and prints a summary. Runs on Node 20 and newer.
//   --only types,lint,unit,integration,tools,native,e2e   some of the groups alone
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { appEnvironment, appNode, ensureBuilt, ensureInstalled, withStartLock } from "../start/install.mjs";
import { endChildrenWithProcess, root, run } from "../start/run.mjs";
import { StartError } from "../start/start-error.mjs";
import { chromiumPath } from "./chromium.mjs";

const groups = {
  types: checkTypes,
  lint: () => check("biome", ["check", "."]),
  unit: () => vitest("unit"),
  integration: () => vitest("integration"),
  tools: () => vitest("tools"),
  native: runOnNativePostgres,
  e2e: runBrowserTests,
};

/**
 * The stages, one after another. The lanes of a stage run at the same time, because the tests of one database wait more
 * than they compute; the groups of a lane run one after another.
 */
const STAGES = [[["types", "lint"]], [["integration"], ["native"], ["tools", "unit"]], [["e2e"]]];

/** Two halves of the browser tests, which run at the same time. */
const E2E_SHARDS = ["1/2", "2/2"];

const results = mkdtempSync(join(tmpdir(), "ragstone-results-"));
process.on("exit", () => rmSync(results, { recursive: true, force: true }));
endChildrenWithProcess(() => process.exit(130));

const only = process.argv[process.argv.indexOf("--only") + 1]?.split(",") ?? [];
const chosen = process.argv.includes("--only") ? only : Object.keys(groups);
if (!chosen.every((name) => Object.hasOwn(groups, name))) {
  console.error(`--only takes ${Object.keys(groups).join(", ")}.`);
  process.exit(1);
}

const sums = { passed: 0, failed: 0, skipped: 0 };
const report = [];
const failedTests = [];
await withStartLock(ensureInstalled).catch((error) => add("install", failure(error)));
// nothing can run without the packages
if (sums.failed === 0) for (const lanes of STAGES) await Promise.all(lanes.map(runLane));
if (failedTests.length > 0) console.log(`\nFailed:\n${failedTests.map((name) => `  ${name}`).join("\n")}`);
console.log(`\n${report.join("\n")}\n\n${describe(sums)}`);
process.exitCode = sums.failed > 0 ? 1 : 0;

async function runLane(names) {
  for (const name of names) await runGroup(name);
}

async function runGroup(name) {
  if (!chosen.includes(name)) return;
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  const sum = await groups[name]().catch(failure);
  add(name, sum, Date.now() - started);
}

function add(name, sum, ms = 0) {
  for (const outcome of Object.keys(sums)) sums[outcome] += sum[outcome];
  report.push(`${name.padEnd(12)} ${describe(sum)}, ${Math.round(ms / 1000)} s`);
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** The result of a group that could not run. */
function failure(error) {
  console.error(error instanceof StartError ? error.message : error);
  return { passed: 0, failed: 1, skipped: 0 };
}

async function checkTypes() {
  // Next.js generates the types of the routes
  return (await succeeds("next", ["typegen"]))
    ? check("tsc", ["--noEmit", "--incremental", "false"])
    : { passed: 0, failed: 1, skipped: 0 };
}

/** Runs a program that passes or fails as a whole. */
async function check(tool, args) {
  const passed = await succeeds(tool, args);
  return { passed: Number(passed), failed: Number(!passed), skipped: 0 };
}

/** The result of a group that this machine cannot run. @param reason says how to make it run */
function skip(reason) {
  console.log(`Skipped: ${reason}`);
  return { passed: 0, failed: 0, skipped: 1 };
}

async function vitest(project, variables = {}) {
  const file = join(results, `${project}${variables.TEST_DATABASE_URL ? "-native" : ""}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const args = ["run", "--config", "scripts/test/vitest.config.ts", "--project", project, ...reporters];
  return counted(file, await succeeds("vitest", args, variables), (outcome) => ({
    passed: outcome.numPassedTests,
    // a file that cannot be loaded has no tests to fail
    failed: outcome.numFailedTests + outcome.testResults.filter(failedToLoad).length,
    skipped: outcome.numPendingTests + outcome.numTodoTests,
    names: outcome.testResults.flatMap(failedIn),
  }));
}

function failedIn({ name: file, status, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
  return (status === "failed" && failed.length === 0 ? ["did not load"] : failed).map(
    (name) => `${relative(root, file)}: ${name}`,
  );
}

function failedToLoad({ status, assertionResults }) {
  return status === "failed" && assertionResults.length === 0;
}

async function runOnNativePostgres() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return testsOnServer(given);
  if (!postgres("check") && !(canInstall() && postgres("install"))) {
    return skip("no PostgreSQL with pgvector here. As root on Debian: `scripts/test/native-postgres.sh install`");
  }
  const folder = mkdtempSync(join(tmpdir(), "ragstone-postgres-"));
  const port = String(await freePort());
  const stop = () => {
    postgres("stop", folder);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", stop);
  if (!postgres("start", folder, port)) throw new StartError("PostgreSQL did not start; see above.");
  return testsOnServer(`postgres://postgres@127.0.0.1:${port}/postgres`);
}

async function testsOnServer(url) {
  const outcomes = [];
  for (const project of ["integration", "tools"]) outcomes.push(await vitest(project, { TEST_DATABASE_URL: url }));
  return total(outcomes);
}

function total(outcomes) {
  const sumOf = (name) => outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
  return Object.fromEntries(Object.keys(sums).map((name) => [name, sumOf(name)]));
}

function postgres(...args) {
  const quiet = args[0] === "check" ? "ignore" : "inherit";
  return (
    spawnSync(join(root, "scripts", "test", "native-postgres.sh"), args, { stdio: ["ignore", quiet, quiet] }).status ===
    0
  );
}

async function runBrowserTests() {
  if (!chromiumPath() && !(canInstall() && installChromium())) {
    return skip(
      "no Chromium here. As root on Debian: `apt-get install -y --no-install-recommends chromium-headless-shell`",
    );
  }
  await withStartLock(ensureBuilt);
  return total(await Promise.all(E2E_SHARDS.map(runShard)));
}

/** Each shard has a server and a database of its own, because the tests of one server follow one another. */
async function runShard(shard) {
  const name = `e2e-${shard.replace("/", "-of-")}`;
  const output = join(root, "test-results", name);
  const args = ["test", "--config", "e2e", "--shard", shard, "--output", output, "--reporter", "list,json"];
  const file = join(results, `${name}.json`);
  const passed = await succeeds("playwright", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return counted(file, passed, ({ stats, errors, suites }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    names: suites.flatMap(failedSpecs),
  }));
}

function failedSpecs({ specs = [], suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `e2e/${file}:${line}: ${title}`);
  return [...failed, ...suites.flatMap(failedSpecs)];
}

function installChromium() {
  const apt = (...args) =>
    spawnSync("apt-get", ["-qq", ...args], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  console.log("Installing Chromium …");
  const chromium = ["-y", "--no-install-recommends", "chromium-headless-shell"];
  return apt("update").status === 0 && apt("install", ...chromium).status === 0;
}

function canInstall() {
  return process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
}

/** Reads the counts from a run's report. A run that failed without a failed test or a report counts as one failure. */
function counted(file, succeeded, read) {
  const outcome = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  const { names = [], ...sum } = outcome ? read(outcome) : { passed: 0, failed: 0, skipped: 0 };
  failedTests.push(...names);
  return succeeded || sum.failed > 0 ? sum : { ...sum, failed: 1 };
}

/** Runs a tool of node_modules with the app's Node, and shows its output. */
async function succeeds(tool, args, variables = {}) {
  const env = { ...appEnvironment("test"), TEST_DATABASE_URL: "", ...variables };
  try {
    await run(appNode(), [binOf(tool), ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return false;
  }
}

/** The script behind a name in node_modules/.bin, which may be a link or a shell script. */
function binOf(tool) {
  const packages = {
    next: "next",
    tsc: "typescript",
    biome: "@biomejs/biome",
    vitest: "vitest",
    playwright: "@playwright/test",
  };
  const folder = join(root, "node_modules", packages[tool]);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[tool]);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

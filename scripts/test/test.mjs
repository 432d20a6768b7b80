// `npm test`: runs all checks that this machine can run, and prints a summary. Runs on Node 20 and newer.
//   --only types,lint,unit,integration,tools,native,e2e   some of the groups alone
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appEnvironment, appNode, ensureBuilt, ensureInstalled, withStartLock } from "../start/install.mjs";
import { endChildrenWithProcess, root, run } from "../start/run.mjs";
import { StartError } from "../start/start-error.mjs";
import { chromiumPath } from "./chromium.mjs";
import { describeFailures, playwrightOutcome, runOutcome, vitestOutcome } from "./outcomes.mjs";
import { createSlots } from "./slots.mjs";

const groups = {
  types: () => runJob("types", checkTypes),
  lint: () => runJob("lint", () => check("biome", ["check", "."])),
  integration: () => runProjects(["integration", "integration isolated"]),
  e2e: runBrowserTests,
  native: runOnNativePostgres,
  tools: () => runProjects(["tools"]),
  unit: () => runProjects(["unit", "unit isolated"]),
};

/** These end before the others start: the build replaces the generated types of the routes. */
const QUICK = ["types", "lint"];

/** Each part of the browser tests has a server and a database of its own, whose tests follow one another. */
const E2E_SHARDS = ["1/2", "2/2"];

/**
 * Three jobs at a time keep two cores busy, because a job also waits; more take as long. The longest start first, so that
 * the short ones fill the end.
 */
const inSlot = createSlots(3, [
  ...[...QUICK, "integration", "build", ...E2E_SHARDS.map((shard) => `e2e ${shard}`)],
  ...["native integration", "tools", "integration isolated", "native integration isolated", "native tools"],
  ...["unit", "unit isolated"],
]);

/** One at a time: the package manager locks out a second run. */
const inInstallTurn = createSlots(1, ["chromium", "postgres"]);
const APT = ["apt-get", "-qq"];
const CHROMIUM = ["-y", "--no-install-recommends", "chromium-headless-shell"];
const POSTGRES = join(root, "scripts", "test", "native-postgres.sh");

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
const failures = [];
await withStartLock(ensureInstalled).catch((error) => add("install", failure(error)));
// nothing can run without the packages
if (sums.failed === 0) {
  await runGroups(QUICK);
  await runGroups(Object.keys(groups).filter((name) => !QUICK.includes(name)));
}
if (failures.length > 0) console.log(`\nFailed:\n${describeFailures(failures)}`);
console.log(`\n${report.join("\n")}\n\n${describe(sums)}`);
process.exitCode = sums.failed > 0 ? 1 : 0;

async function runGroups(names) {
  const run = (name) => groups[name]().catch((error) => add(name, failure(error)));
  await Promise.all(names.filter((name) => chosen.includes(name)).map(run));
}

/** Runs a job when a slot is free, and adds its result. */
async function runJob(name, job) {
  await inSlot(name, async () => {
    console.log(`\n── ${name} ──`);
    const started = Date.now();
    const sum = await job().catch(failure);
    add(name, sum, Date.now() - started);
  });
}

function add(name, sum, ms = 0) {
  for (const outcome of Object.keys(sums)) sums[outcome] += sum[outcome];
  report.push(`${name.padEnd(20)} ${describe(sum)}, ${Math.round(ms / 1000)} s`);
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

/** Adds a group that this machine cannot run. @param reason says how to make it run */
function skip(name, reason) {
  console.log(`Skipped: ${reason}`);
  add(name, { passed: 0, failed: 0, skipped: 1 });
}

/** @param server the URL of a database server; without one, the tests run on the embedded database */
async function runProjects(names, server = "") {
  await Promise.all(names.map((name) => runJob(server === "" ? name : `native ${name}`, () => vitest(name, server))));
}

async function vitest(project, server) {
  const file = join(results, `${project}${server === "" ? "" : " native"}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const args = ["run", "--config", "scripts/test/vitest.config.ts", "--project", project, ...reporters];
  return counted(file, await succeeds("vitest", args, { TEST_DATABASE_URL: server }), vitestOutcome);
}

async function runOnNativePostgres() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return testsOnServer(given);
  if (!postgres("check") && !(await installed("postgres", [POSTGRES, "install"]))) {
    return skip(
      "native",
      "no PostgreSQL with pgvector here. As root on Debian: `scripts/test/native-postgres.sh install`",
    );
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

function testsOnServer(url) {
  return runProjects(["integration", "integration isolated", "tools"], url);
}

function postgres(...args) {
  const quiet = args[0] === "check" ? "ignore" : "inherit";
  return spawnSync(POSTGRES, args, { stdio: ["ignore", quiet, quiet] }).status === 0;
}

async function runBrowserTests() {
  const [hasChromium] = await Promise.all([
    chromiumPath() !== undefined || installed("chromium", [...APT, "update"], [...APT, "install", ...CHROMIUM]),
    inSlot("build", () => withStartLock(ensureBuilt)),
  ]);
  if (!hasChromium)
    return skip("e2e", `no Chromium here. As root on Debian: \`apt-get install ${CHROMIUM.join(" ")}\``);
  await Promise.all(E2E_SHARDS.map((shard) => runJob(`e2e ${shard}`, () => runShard(shard))));
}

async function runShard(shard) {
  const name = `e2e-${shard.replace("/", "-of-")}`;
  const output = join(root, "test-results", name);
  const args = ["test", "--config", "e2e", "--shard", shard, "--output", output, "--reporter", "list,json"];
  const file = join(results, `${name}.json`);
  const passed = await succeeds("playwright", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return counted(file, passed, playwrightOutcome);
}

/** Runs the commands of an installation while tests run. @returns false if this machine or user cannot install */
async function installed(name, ...commands) {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return false;
  console.log(`Installing ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return inInstallTurn(name, () =>
    succeed(async () => {
      for (const [command, ...args] of commands) await run(command, args, { env });
    }),
  );
}

/** Reads the counts from a run's report, if it wrote one. */
function counted(file, succeeded, read) {
  const reported = existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const { failures: failed, ...sum } = runOutcome(reported, succeeded);
  failures.push(...failed);
  return sum;
}

/** Runs a tool of node_modules with the app's Node, and shows its output. */
function succeeds(tool, args, variables = {}) {
  const env = { ...appEnvironment("test"), TEST_DATABASE_URL: "", ...variables };
  return succeed(() => run(appNode(), [binOf(tool), ...args], { env, stdio: ["ignore", "inherit", "inherit"] }));
}

async function succeed(work) {
  try {
    await work();
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

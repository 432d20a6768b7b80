// `npm test`: everything that this machine can run, counted. Runs on Node 18 and newer with nothing installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appEnvironment, appNode, cache, ensureBuilt, ensureInstalled, withStartLock } from "./install.mjs";
import { endTogether, root, run, StartError, step } from "./run.mjs";

const CHROMIUM = "/usr/bin/chromium";
const GROUPS = ["typecheck", "lint", "unit", "integration", "native", "e2e"];

const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1]?.split(",") : GROUPS;
const sums = { passed: 0, failed: 0, skipped: 0 };
const reports = mkdtempSync(join(tmpdir(), "ragstone-reports-"));
const env = { ...appEnvironment("test"), CI: process.env.CI ?? "" };
const isRoot = process.getuid?.() === 0;

endTogether();
try {
  await withStartLock(ensureInstalled);
  mkdirSync(cache, { recursive: true });
  if (wanted("typecheck")) await typecheck();
  if (wanted("lint")) await check("Lint", [bin("@biomejs/biome", "bin/biome"), "check", "--error-on-warnings", "."]);
  if (wanted("unit")) await vitest("Unit tests", "unit", {});
  if (wanted("integration")) await vitest("Integration tests, embedded database", "integration", {});
  if (wanted("native")) await native();
  if (wanted("e2e")) await endToEnd();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  sums.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : "";
console.log(`${sums.passed} passed, ${sums.failed} failed${skipped}`);
process.exitCode = sums.failed > 0 ? 1 : 0;

function wanted(group) {
  return only.includes(group);
}

function bin(name, path) {
  return join(root, "node_modules", name, path);
}

async function typecheck() {
  // the types of routes and of style sheets are the framework's to write
  await run(appNode(), [bin("next", "dist/bin/next"), "typegen"], { env });
  await check("Type check", [bin("typescript", "bin/tsc"), "--noEmit"]);
}

/** A tool that passes or fails as a whole. */
async function check(name, args) {
  const ok = await succeeds(name, () => run(appNode(), args, { env, stdio: "inherit" }));
  sums[ok ? "passed" : "failed"] += 1;
}

async function vitest(name, project, variables) {
  const report = join(reports, `${name}.json`);
  const args = ["run", "-c", "scripts/vitest.config.ts", "--project", project, "--reporter=dot", "--reporter=json"];
  const ok = await succeeds(name, () =>
    run(appNode(), [bin("vitest", "vitest.mjs"), ...args, `--outputFile.json=${report}`], {
      env: { ...env, ...variables },
      stdio: "inherit",
    }),
  );
  const found = readReport(report);
  count(ok, {
    passed: found?.numPassedTests,
    failed: found?.numFailedTests,
    skipped: (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0),
  });
}

/** The same integration tests on a PostgreSQL server, where there is one or one can be installed. */
async function native() {
  const script = join(root, "scripts", "native-postgres.sh");
  const shell = (...args) =>
    spawnSync("bash", [script, ...args], { encoding: "utf8", env: { ...env, RAGSTONE_CACHE: cache } });
  if (process.env.TEST_DATABASE_URL) {
    return vitest("Integration tests, PostgreSQL", "integration", { TEST_DATABASE_URL: process.env.TEST_DATABASE_URL });
  }
  if (!isRoot)
    return skip(
      "PostgreSQL with pgvector",
      "as root: bash scripts/native-postgres.sh install; then set TEST_DATABASE_URL",
    );
  const ready = await succeeds("Installing PostgreSQL with pgvector", async () => {
    const { status, stdout, stderr } = shell("install");
    if (status !== 0) throw new StartError(`${stdout}${stderr}`);
  });
  if (!ready) return count(false, {});
  const folder = mkdtempSync(join(tmpdir(), "ragstone-postgres-"));
  const { status, stdout, stderr } = shell("start", folder, String(await freePort()));
  try {
    if (status !== 0) throw new StartError(`PostgreSQL did not start: ${stderr}`);
    await vitest("Integration tests, PostgreSQL", "integration", { TEST_DATABASE_URL: stdout.trim() });
  } finally {
    if (status === 0) shell("stop", folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endToEnd() {
  if (!existsSync(join(root, "e2e", "playwright.config.ts"))) return;
  if (!existsSync(CHROMIUM)) {
    if (!isRoot) return skip("End-to-end tests", "as root: apt-get install chromium");
    await step("Installing Chromium", async () => {
      await run("apt-get", ["-qq", "update"]);
      await run("apt-get", ["-qq", "install", "-y", "--no-install-recommends", "chromium"]);
    });
  }
  await withStartLock(ensureBuilt);
  const report = join(reports, "e2e.json");
  const ok = await succeeds("End-to-end tests", () =>
    run(appNode(), [bin("@playwright/test", "cli.js"), "test", "-c", "e2e", "--reporter=line,json"], {
      env: { ...env, NODE_ENV: "production", PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      stdio: "inherit",
    }),
  );
  const stats = readReport(report)?.stats;
  count(ok, { passed: stats && stats.expected + stats.flaky, failed: stats?.unexpected, skipped: stats?.skipped });
}

/** A runner that failed without a failed test to show for it counts as one. */
function count(ok, { passed = 0, failed = 0, skipped = 0 }) {
  sums.passed += passed;
  sums.failed += !ok && failed === 0 ? 1 : failed;
  sums.skipped += skipped;
}

function skip(name, how) {
  console.log(`${name}: skipped. To run it, ${how}`);
  sums.skipped += 1;
}

async function succeeds(name, work) {
  try {
    await step(name, work);
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(`${name}: ${error.message}`);
    return false;
  }
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

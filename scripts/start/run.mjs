// Runs on Node 20 and newer with nothing installed: only node: modules, no TypeScript.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "./start-error.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The running child processes, which end with this process. */
export const children = new Set();

/**
 * Ends the children when this process gets a signal, or when its parent npm is gone: neither npm nor the shell in
 * between ends its child when it is killed itself.
 */
export function endChildrenWithProcess(then = exitWithoutChildren) {
  const parents = () => `${process.ppid} ${statOf(process.ppid)?.[1]}`;
  const before = parents();
  const end = () => {
    for (const child of children) child.kill("SIGTERM");
    then();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  if (!process.env.npm_lifecycle_event) return;
  const timer = setInterval(() => {
    if (parents() === before) return;
    clearInterval(timer);
    end();
  }, 500);
  timer.unref();
}

/** Exits immediately without children. Otherwise this process ends when its children have ended. */
function exitWithoutChildren() {
  if (children.size === 0) process.exit(143);
}

/** Runs a program until it ends. Its output is shown only if it fails, unless `stdio` says otherwise. */
export async function run(command, args, { env = process.env, stdio = "quiet" } = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: stdio === "quiet" ? ["ignore", "pipe", "pipe"] : stdio });
  children.add(child);
  child.once("close", () => children.delete(child));
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => resolve(status ?? signal));
  });
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new StartError(`\`${[command, ...args].join(" ")}\` failed (${code}); see above.`);
}

/** Prints the name of a step, and how long it took. */
export async function step(name, work) {
  const started = Date.now();
  process.stdout.write(`${name} …\n`);
  await work();
  process.stdout.write(`${name}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/** The fields of `/proc/<pid>/stat` from the state on; undefined without such a process. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

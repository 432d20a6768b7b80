import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../make-folder.ts";
import { answers, lockHolder } from "./lock.ts";
import type { OwnerMessage } from "./owner.ts";
import { socketPath } from "./socket.ts";

/** A running embedded database. */
export interface EmbeddedDatabase {
  socketPath: string;
  /** The process that this one started for it; undefined when it was running already. */
  child: ChildProcess | undefined;
  /** Lets go of it: it ends, unless someone else still uses it or it was running before. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/**
 * Makes sure that the embedded database of `dataDir` runs: uses the process that owns it, or starts one that lives as
 * long as this process. Throws an Error with a line for people when the folder cannot be used.
 */
export async function ensureOwner(dataDir: string): Promise<EmbeddedDatabase> {
  const path = socketPath(dataDir);
  const deadline = Date.now() + PATIENCE_MS;
  makeFolder(dataDir);
  for (;;) {
    if (await answers(path))
      return {
        socketPath: path,
        child: undefined,
        stop: async () => undefined,
      };
    // someone who holds the lock and does not answer yet is starting or ending
    const holder = await lockHolder(resolve(dataDir), path);
    if (holder === undefined) {
      try {
        // it may outlive this process for the sake of others, and must not hold what reads this one's output
        return await startOwner(dataDir, "ignore");
      } catch (error) {
        // someone else was faster
        if ((await lockHolder(resolve(dataDir), path)) === undefined) throw error;
      }
    }
    if (Date.now() > deadline)
      throw new Error(`The embedded database in ${dataDir} (process ${holder}) does not respond.`);
    await setTimeout(50);
  }
}

/** Starts the process that owns the embedded database of `dataDir`. Throws when the folder cannot be used. */
export async function startOwner(
  dataDir: string,
  output: "inherit" | "ignore" = "inherit",
): Promise<EmbeddedDatabase & { child: ChildProcess }> {
  const entry = fileURLToPath(new URL("./owner.ts", import.meta.url));
  const child = fork(entry, [resolve(dataDir)], {
    execArgv: [],
    stdio: ["ignore", output, output, "ipc"],
  });
  await new Promise<void>((ready, refuse) => {
    child.once("message", (message: OwnerMessage) => {
      if (message.type === "ready") ready();
      else refuse(new Error(message.type === "refused" ? message.message : "The embedded database did not start."));
    });
    child.once("exit", (code, signal) =>
      refuse(new Error(`The embedded database exited immediately (${signal ?? code}).`)),
    );
    child.once("error", refuse);
  });
  return { socketPath: socketPath(dataDir), child, stop: () => letGo(child) };
}

async function letGo(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    // others use it: it stays for them, and this process need not wait
    child.once("message", () => {
      child.unref();
      child.disconnect();
      resolve();
    });
    child.send("release");
  });
}

import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { answers, lockHolder } from "../../folder-lock.mjs";
import { makeFolder } from "../../make-folder.ts";
import type { OwnerMessage } from "./owner.ts";
import { socketPath } from "./socket.ts";

/** A running embedded database. */
export interface EmbeddedDatabase {
  socketPath: string;
  /** The owner process that this process started; undefined when it was running already. */
  child: ChildProcess | undefined;
  /** Stops the owner process unless other clients use it or it was running before. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/**
 * Makes sure that the embedded database of `dataDir` runs: uses the process that owns it, or starts one that lives as
 * long as this process.
 * @throws Error with a message for people when the folder cannot be used
 */
export async function ensureOwner(dataDir: string): Promise<EmbeddedDatabase> {
  const path = socketPath(dataDir);
  const deadline = Date.now() + START_TIMEOUT_MS;
  makeFolder(dataDir);
  for (;;) {
    if (await answers(path))
      return {
        socketPath: path,
        child: undefined,
        stop: async () => undefined,
      };
    // a process that holds the lock but does not answer is starting or stopping
    const holder = await lockHolder(resolve(dataDir), path);
    if (holder === undefined) {
      try {
        // the owner may outlive this process for other clients, so it must not hold this process's output open
        return await startOwner(dataDir, "ignore");
      } catch (error) {
        // another process took the lock first
        if ((await lockHolder(resolve(dataDir), path)) === undefined) throw error;
      }
    }
    if (Date.now() > deadline)
      throw new Error(
        `The embedded database in ${dataDir} (process ${holder}) does not respond. Stop that process, then try again.`,
      );
    await setTimeout(50);
  }
}

/**
 * Starts the process that owns the embedded database of `dataDir`.
 * @throws Error when the folder cannot be used
 */
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
  return { socketPath: socketPath(dataDir), child, stop: () => release(child) };
}

async function release(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    // other clients use the database: the owner keeps running, and this process need not wait
    child.once("message", () => {
      child.unref();
      child.disconnect();
      resolve();
    });
    child.send("release");
  });
}

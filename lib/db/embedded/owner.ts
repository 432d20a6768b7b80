/**
 * The one process that opens the embedded database of a folder (its only argument). Tells its parent when it is ready,
 * or why it cannot start. Exits when told to, or when its parent is gone and the last client has left.
 */
import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { takeLock } from "../../folder-lock.mjs";
import { dataPaths } from "../../paths.ts";
import { ENGINE_SETTINGS, startHousekeeping } from "./housekeeping.ts";
import { PrivateFiles } from "./private-files.ts";
import { type DatabaseServer, serveDatabase } from "./server.ts";
import { socketPath } from "./socket.ts";

/** Messages from an owner to its parent. */
export type OwnerMessage = { type: "ready" } | { type: "refused"; message: string } | { type: "kept" };

const LAST_CLIENT_WAIT_MS = 250;

let ready = false;

async function runOwner(dataDir: string): Promise<void> {
  // all files made from here on, including by the engine, are private to this user
  process.umask(0o077);
  mkdirSync(dataDir, { recursive: true });
  const path = socketPath(dataDir);
  const lock = await takeLock(dataDir, path);
  try {
    const engine = {
      fs: new PrivateFiles(dataPaths(dataDir).database),
      extensions: { vector },
      startParams: engineSettings(),
    };
    const db = await PGlite.create(engine);
    const server = await serveDatabase(db, { socketPath: path, onFailure: fail });
    const stopHousekeeping = startHousekeeping(dataDir);
    shutDownOnRequest(() => {
      stopHousekeeping();
      return shutDown(db, server, lock, path);
    }, server);
    ready = true;
    tell({ type: "ready" });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function engineSettings(): string[] {
  const settings = Object.entries(ENGINE_SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return [...PGlite.defaultStartParams, ...settings];
}

function shutDownOnRequest(shutDown: () => Promise<void>, server: DatabaseServer): void {
  let ending = false;
  const shutDownOnce = () => {
    if (ending) return;
    ending = true;
    shutDown().catch(fail);
  };
  process.on("SIGTERM", shutDownOnce);
  // Ctrl-C reaches the whole process group; the parent stops the database after its own work is done
  process.on("SIGINT", () => undefined);
  process.on("message", async () => {
    // the parent's message may arrive before its connection closes
    await Promise.race([server.allClientsGone(), setTimeout(LAST_CLIENT_WAIT_MS)]);
    if (server.clients() === 0) shutDownOnce();
    else tell({ type: "kept" });
  });
  const shutDownAfterClients = () => server.allClientsGone().then(shutDownOnce);
  if (process.connected) process.on("disconnect", shutDownAfterClients);
  else shutDownAfterClients();
}

async function shutDown(
  db: PGlite,
  server: DatabaseServer,
  lock: Awaited<ReturnType<typeof takeLock>>,
  path: string,
): Promise<void> {
  await server.close();
  await db.close();
  rmSync(path, { force: true });
  lock.release();
  // an exit would wait for the compiler, which may spend seconds on the engine's code
  process.kill(process.pid, "SIGKILL");
}

function tell(message: OwnerMessage): void {
  if (process.connected) process.send?.(message);
}

/** While starting, the parent reports the error; later, only this process can. */
function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (process.connected && !ready) tell({ type: "refused", message });
  else console.error(`embedded database: ${message}`);
  process.exit(1);
}

await runOwner(resolve(process.argv[2] ?? ".data")).catch(fail);

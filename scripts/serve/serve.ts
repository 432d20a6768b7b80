/** Runs the server with its child processes, the embedded database and the worker. They start and stop together. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startOwner } from "../../lib/db/embedded/ensure-owner.ts";
import { socketPath } from "../../lib/db/embedded/socket.ts";
import { type Env, env } from "../../lib/env.ts";
import { messageOf } from "../../lib/errors.ts";
import { FolderInUseError, lockHolder } from "../../lib/folder-lock.mjs";
import { makeFolder } from "../../lib/make-folder.ts";
import { StartError } from "../start/start-error.mjs";
import { explain } from "./explain-error.ts";
import { ignoreLostOutput } from "./lost-output.ts";
import { REQUESTS_GRACE_MS, type Supervised, startScript, supervise, WORKER_ID } from "./supervise.ts";
import { webProcesses } from "./web-processes.ts";
import { type Web, webServer } from "./web-server.ts";

const CHILD_GRACE_MS = 20_000;
/** How long to wait for the database of a killed server to end. */
const FOLDER_TIMEOUT_MS = 10_000;
/** How long to wait for the models; without them, the API has only keyword search. */
const MODELS_TIMEOUT_MS = 20_000;
/** A second signal after this time exits immediately. An earlier signal is the same Ctrl-C, received twice. */
const FORCE_EXIT_AFTER_MS = 1_000;
const dev = process.argv.includes("--dev");

interface Services {
  web: Web;
  database?: Supervised;
  worker?: Supervised;
}

async function serve(): Promise<void> {
  const settings = env();
  const web = await (settings.webProcesses > 1 && !dev ? webProcesses(settings) : webServer(settings, dev));
  const services: Services = { web };
  stopOnSignal(services);

  await checkEnvironment(settings);

  const starting = startDatabase(settings);
  const loading = web.load();
  // awaited below, so that an error of the database is reported first
  loading.catch(() => undefined);
  services.database = await starting;
  const { prepareDatabase } = await import("./prepare-database.ts");
  const { sampleCompanyId, setupCode } = await prepareDatabase();
  services.worker = await startWorker();
  await loading;
  web.open();
  await waitUntilReady(web);

  const address = publicAddress(web, settings);
  const { presentSample, printSetupCode } = await import("./print-introduction.ts");
  if (sampleCompanyId) await presentSample(sampleCompanyId, address);
  if (setupCode) printSetupCode(setupCode, address);
  console.log(`Ragstone is ready at ${address}`);
}

/** Finds problems before anything slow is started. */
async function checkEnvironment({ databaseUrl, dataDir }: Env): Promise<void> {
  makeDataDir(dataDir);
  if (!databaseUrl) return waitUntilFree(dataDir);
  const { checkServer } = await import("./check-database.ts");
  await checkServer(databaseUrl);
}

async function startDatabase({ databaseUrl, dataDir }: Env): Promise<Supervised | undefined> {
  if (databaseUrl) return undefined;
  const start = async () => (await startOwner(dataDir)).child;
  return supervise("The embedded database", start, await start());
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    const probe = join(dataDir, `.writable-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be written (${messageOf(error)}). Set DATA_DIR to a folder that can be written.`,
    );
  }
}

async function waitUntilFree(dataDir: string): Promise<void> {
  const deadline = Date.now() + FOLDER_TIMEOUT_MS;
  for (;;) {
    const pid = await lockHolder(dataDir, socketPath(dataDir));
    if (pid === undefined) return;
    if (Date.now() > deadline) throw new FolderInUseError(dataDir, pid);
    await setTimeout(100);
  }
}

async function startWorker(): Promise<Supervised> {
  const script = join(import.meta.dirname, "worker.ts");
  const variables = { [WORKER_ID]: randomUUID() };
  const start = () => startScript(script, variables);
  return supervise("The worker", start, await start());
}

/** Waits until /readyz responds, and warms up the retrieve route for the first request. */
async function waitUntilReady(web: Web): Promise<void> {
  await fetch(`${web.address()}/v1/api/rag/retrieve`, { method: "OPTIONS" });
  const deadline = Date.now() + MODELS_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${web.address()}/readyz`);
    if (response.ok) return;
    if (Date.now() > deadline) return console.warn(`Not ready yet: ${await response.text()}`);
    await setTimeout(200);
  }
}

function publicAddress(web: Web, { port, publicUrl }: Env): string {
  return port === 0 ? `http://localhost:${new URL(web.address()).port}` : publicUrl;
}

function stopOnSignal(services: Services): void {
  let since: number | undefined;
  const onSignal = () => {
    if (since !== undefined && Date.now() - since > FORCE_EXIT_AFTER_MS) process.exit(130);
    if (since !== undefined) return;
    since = Date.now();
    stopAll(services).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(messageOf(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  // the parent process is gone
  if (process.connected) process.on("disconnect", onSignal);
}

/** Finishes requests and jobs first, and stops the database, which both need, last. */
async function stopAll({ web, worker, database }: Services): Promise<void> {
  await Promise.all([web.close(REQUESTS_GRACE_MS), worker?.stop(CHILD_GRACE_MS)]);
  const { disconnectDatabase } = await import("./application.ts");
  await disconnectDatabase();
  await database?.stop(CHILD_GRACE_MS);
}

ignoreLostOutput();
try {
  await serve();
} catch (error) {
  console.error(`Ragstone cannot start: ${explain(error)}`);
  process.exit(1);
}

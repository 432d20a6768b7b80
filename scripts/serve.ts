/** The server and, below it, the embedded database and the worker: one tree, which starts and ends together. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startOwner } from "../lib/db/embedded/ensure-owner.ts";
import { FolderInUseError, lockHolder } from "../lib/db/embedded/lock.ts";
import { socketPath } from "../lib/db/embedded/socket.ts";
import { type Env, env } from "../lib/env.ts";
import { messageOf } from "../lib/errors.ts";
import { makeFolder } from "../lib/make-folder.ts";
import type { SampleAccess } from "../lib/sample.ts";
import { explain, StartError } from "./explain.ts";
import { createWebServer, type WebServer } from "./http-server.ts";
import { ignoreLostOutput } from "./lost-output.ts";
import { type Supervised, startScript, supervise, WORKER_ID } from "./supervise.ts";

const REQUESTS_GRACE_MS = 25_000;
const CHILD_GRACE_MS = 20_000;
/** How long the database of a server that was killed may take to end. */
const FOLDER_PATIENCE_MS = 10_000;
/** How long the models may take; without them the API searches by words. */
const MODELS_PATIENCE_MS = 20_000;
/** A signal that comes this long after the first one means now; sooner, it is the same Ctrl-C by another way. */
const INSIST_AFTER_MS = 1_000;
const dev = process.argv.includes("--dev");

interface Tree {
  web: WebServer;
  database?: Supervised;
  worker?: Supervised;
}

async function serve(): Promise<void> {
  const settings = env();
  const tree: Tree = { web: createWebServer({ upgrades: dev, behindProxy: settings.publicUrl.startsWith("https:") }) };
  await listen(tree.web, settings);
  endWhenTold(tree);

  await check(settings);

  const starting = startDatabase(settings);
  const { loadApplication, prepareDatabase } = await import("./application.ts");
  const loading = loadApplication({ dev, web: tree.web });
  // a failure of the database is told first, and ends both
  loading.catch(() => undefined);
  tree.database = await starting;
  const { sample, setupCode } = await prepareDatabase();
  tree.worker = startWorker();
  tree.web.open(await loading);
  await untilReady(tree.web);

  const address = publicAddress(tree.web, settings);
  if (sample) await introduceSample(sample, address);
  if (setupCode) (await import("./introduce.ts")).introduceSetup(setupCode, address);
  console.log(`Ragstone is ready at ${address}`);
}

async function introduceSample(sample: SampleAccess, address: string): Promise<void> {
  const { introduce, untilIngested } = await import("./introduce.ts");
  await untilIngested(sample.companyId);
  introduce(sample, address);
}

async function listen({ server }: WebServer, { port, host }: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

/** What can be wrong is found before anything heavy is begun. */
async function check({ databaseUrl, dataDir }: Env): Promise<void> {
  makeDataDir(dataDir);
  if (!databaseUrl) return untilFree(dataDir);
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

async function untilFree(dataDir: string): Promise<void> {
  const deadline = Date.now() + FOLDER_PATIENCE_MS;
  for (;;) {
    const pid = await lockHolder(dataDir, socketPath(dataDir));
    if (pid === undefined) return;
    if (Date.now() > deadline) throw new FolderInUseError(dataDir, pid);
    await setTimeout(100);
  }
}

function startWorker(): Supervised {
  const script = join(import.meta.dirname, "worker.ts");
  const variables = { [WORKER_ID]: randomUUID() };
  const start = () => startScript(script, variables);
  return supervise("The worker", async () => start(), start());
}

/** Asks as a client would, which also loads what the first request would have to wait for. */
async function untilReady(web: WebServer): Promise<void> {
  await fetch(`${web.address()}/v1/api/rag/retrieve`, { method: "OPTIONS" });
  const deadline = Date.now() + MODELS_PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${web.address()}/readyz`);
    if (response.ok) return;
    if (Date.now() > deadline) return console.warn(`Not ready yet: ${await response.text()}`);
    await setTimeout(200);
  }
}

function publicAddress(web: WebServer, { port, publicUrl }: Env): string {
  return port === 0 ? `http://localhost:${new URL(web.address()).port}` : publicUrl;
}

function endWhenTold(tree: Tree): void {
  let since: number | undefined;
  const onSignal = () => {
    if (since !== undefined && Date.now() - since > INSIST_AFTER_MS) process.exit(130);
    if (since !== undefined) return;
    since = Date.now();
    end(tree).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(messageOf(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  // whoever started this is gone
  if (process.connected) process.on("disconnect", onSignal);
}

/** Finishes what was begun: requests and jobs first, the database that both need last. */
async function end({ web, worker, database }: Tree): Promise<void> {
  await Promise.all([web.close(REQUESTS_GRACE_MS), worker?.stop(CHILD_GRACE_MS)]);
  const { leaveDatabase } = await import("./application.ts");
  await leaveDatabase();
  await database?.stop(CHILD_GRACE_MS);
}

ignoreLostOutput();
try {
  await serve();
} catch (error) {
  console.error(`Ragstone cannot start: ${explain(error)}`);
  process.exit(1);
}

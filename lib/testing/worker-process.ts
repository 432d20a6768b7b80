import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { closeConnection, connect, connection, setConnection } from "../db/client.ts";
import { migrate } from "../db/migrate.ts";
import { workers } from "../db/schema/index.ts";
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts";

interface WorkerProcess {
  child: ChildProcess;
  /** Everything that the worker has written so far. */
  output(): string;
  /** Sends a signal and waits until the process has exited. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Creates a database for one test file and its worker processes; workers that still run are killed after each test. */
export function workerProcesses() {
  const running: WorkerProcess[] = [];
  let folder = "";
  let database: FreshDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ragstone-workers-"));
    database = await freshDatabase(folder);
    setConnection(connect(database.target));
    await migrate();
  });
  afterEach(async () => {
    for (const worker of running.splice(0)) await worker.end("SIGKILL");
    // a killed worker would count as running for a while
    await connection().db.delete(workers);
  });
  afterAll(async () => {
    await closeConnection();
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder: () => folder,
    start(variables: Record<string, string> = {}): WorkerProcess {
      const databaseUrl = "url" in database.target ? database.target.url : "";
      const worker = startWorker({ DATA_DIR: folder, DATABASE_URL: databaseUrl, ...variables });
      running.push(worker);
      return worker;
    },
  };
}

/** Runs the worker in a new process. */
export function startWorker(variables: Record<string, string>): WorkerProcess {
  const child = fork("scripts/serve/worker.ts", [], {
    execArgv: ["--import", "./scripts/start/quick-imports.ts"],
    env: { ...process.env, LOG_LEVEL: "warn", ...variables },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (written += data.toString()));
  return {
    child,
    output: () => written,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      // a stopped process receives no other signal
      child.kill("SIGCONT");
      child.kill(signal);
      await gone;
    },
  };
}

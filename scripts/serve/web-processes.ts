/** Several processes that answer requests on one port, as children of the server. */
import type { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import { join } from "node:path";
import { RateLimiterClusterMaster } from "rate-limiter-flexible";
import type { Env } from "../../lib/env.ts";
import { messageOf } from "../../lib/errors.ts";
import { createWebServer } from "./http-server.ts";
import { QUICK_IMPORTS, supervise } from "./supervise.ts";
import { listen, type Web } from "./web-server.ts";

/** What a web process tells the server, and the server tells it. */
export const LOADED = "ragstone:loaded";
export const OPEN = "ragstone:open";

/** How much longer than its last request a process may take to write the query log and to disconnect. */
const DISCONNECT_GRACE_MS = 5_000;

/**
 * Finds out whether the port can be used; its processes start when the application is loaded. They count rate limits
 * together, in this process.
 * @throws the error of `listen`
 */
export async function webProcesses(settings: Env): Promise<Web> {
  const { address, port } = await probe(settings);
  const opened = Promise.withResolvers<void>();
  const stops: ((graceMs: number) => Promise<void>)[] = [];
  return {
    address: () => address,
    async load() {
      new RateLimiterClusterMaster();
      cluster.setupPrimary({ exec: join(import.meta.dirname, "web.ts"), execArgv: ["--import", QUICK_IMPORTS] });
      await Promise.all(
        Array.from({ length: settings.webProcesses }, async () => {
          const loaded = Promise.withResolvers<void>();
          const start = () => startProcess(port, { onLoaded: loaded.resolve, opened: opened.promise });
          stops.push(supervise("A web process", async () => start(), start()).stop);
          await loaded.promise;
        }),
      );
    },
    open: opened.resolve,
    close: async (graceMs) => {
      await Promise.all(stops.map((stop) => stop(graceMs + DISCONNECT_GRACE_MS)));
    },
  };
}

/** A process listens immediately, and answers requests from when it has loaded the application and the server is open. */
function startProcess(
  port: number,
  { onLoaded, opened }: { onLoaded: () => void; opened: Promise<void> },
): ChildProcess {
  const worker = cluster.fork({ PORT: String(port) });
  // the process ended while a message was in flight
  worker.on("error", (error) => console.error(`A web process: ${messageOf(error)}`));
  worker.on("message", (message) => {
    if (message !== LOADED) return;
    onLoaded();
    void opened.then(() => worker.isConnected() && worker.send(OPEN));
  });
  return worker.process;
}

async function probe(settings: Env): Promise<{ address: string; port: number }> {
  const { server, address } = createWebServer();
  await listen(server, settings);
  const found = address();
  server.close();
  await once(server, "close");
  return { address: found, port: Number(new URL(found).port) };
}

import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { parseEnv } from "../../lib/env.ts";
import { REQUESTS_GRACE_MS } from "./supervise.ts";
import { LOADED, webProcesses } from "./web-processes.ts";

const stop = vi.hoisted(() => vi.fn(async (_graceMs: number) => undefined));
vi.mock("./supervise.ts", async (load) => ({
  ...(await load<typeof import("./supervise.ts")>()),
  supervise: () => ({ stop }),
}));
vi.mock("node:cluster", () => {
  const fork = () => {
    const worker = new EventEmitter();
    setImmediate(() => worker.emit("message", LOADED));
    return worker;
  };
  return { default: { setupPrimary: () => undefined, fork } };
});

it("gives its processes more time than their requests, to write the query log", async () => {
  const web = await webProcesses(parseEnv({ PORT: "0", WEB_PROCESSES: "2" }));
  await web.load();
  await web.close(REQUESTS_GRACE_MS);
  expect(stop).toHaveBeenCalledTimes(2);
  for (const [graceMs] of stop.mock.calls) expect(graceMs).toBeGreaterThanOrEqual(REQUESTS_GRACE_MS + 3_000);
});

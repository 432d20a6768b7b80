import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startScript, supervise } from "./supervise.ts";

afterEach(() => vi.restoreAllMocks());

const started: ChildProcess[] = [];
const sleeper = (ignoreTerm = false) => {
  const code = `${ignoreTerm ? "process.on('SIGTERM', () => {});" : ""} console.log("up"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return child;
};
const alive = () => started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);

it("restarts a killed child and logs the restart, but not after a stop", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const supervised = supervise("The sleeper", async () => sleeper(), sleeper());
  started[0]?.kill("SIGKILL");
  await expect.poll(() => started.length, { timeout: 30_000 }).toBe(2);
  expect(logged).toHaveBeenCalledWith("The sleeper ended (SIGKILL). Restarting in 0.5 s.");
  await supervised.stop(5_000);
  expect(alive()).toEqual([]);
});

it("rejects when the system does not start a script", async () => {
  const { execPath } = process;
  process.execPath = "/no/such/program";
  onTestFinished(() => {
    process.execPath = execPath;
  });
  await expect(startScript("script.ts")).rejects.toThrow("ENOENT");
});

it("tries again after a start that failed", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const before = started.length;
  const start = vi.fn(async () => sleeper()).mockRejectedValueOnce(new Error("spawn EAGAIN"));
  const supervised = supervise("The sleeper", start, sleeper());
  started.at(-1)?.kill("SIGKILL");
  await expect.poll(() => started.length, { timeout: 30_000 }).toBe(before + 2);
  await supervised.stop(5_000);
  expect(alive()).toEqual([]);
});

it("kills a child that does not end in time", async () => {
  const child = sleeper(true);
  const supervised = supervise("The sleeper", async () => sleeper(), child);
  await once(child.stdout ?? child, "data");
  await supervised.stop(200);
  expect(child.signalCode).toBe("SIGKILL");
});

it("ends a child that is starting when it is told to stop", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  const slowStart = async () => {
    const child = sleeper();
    await ready;
    return child;
  };
  const supervised = supervise("The sleeper", slowStart, sleeper());
  const before = started.length;
  started.at(-1)?.kill("SIGKILL");
  await expect.poll(() => started.length, { timeout: 30_000 }).toBe(before + 1);
  const stopped = supervised.stop(5_000);
  becomeReady();
  await stopped;
  expect(alive()).toEqual([]);
});

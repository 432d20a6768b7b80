import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, lutimesSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FolderInUseError, lockHolder, takeLock } from "./folder-lock.mjs";

let folder: string;
let socketPath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ragstone-lock-"));
  socketPath = join(folder, "s");
});
afterEach(() => rmSync(folder, { recursive: true }));

const locks = () => readdirSync(folder).filter((name) => name.startsWith("lock."));
/** A lock whose holder runs in another container, refreshed so many seconds ago. */
function lockFromElsewhere(secondsAgo: number): () => void {
  const path = join(folder, "lock.4");
  symlinkSync("1:100:another-boot:1", path);
  const refresh = (seconds: number) => lutimesSync(path, new Date(), Date.now() / 1_000 - seconds);
  refresh(secondsAgo);
  return () => refresh(0);
}

const script = (then: string) => `
  const { takeLock } = await import(${JSON.stringify(new URL("./folder-lock.mjs", import.meta.url).href)});
  await takeLock(${JSON.stringify(folder)}, ${JSON.stringify(socketPath)}).then(() => { ${then} }, (error) => console.log(error.name));`;

describe("takeLock", () => {
  it("refuses while the holder lives, with a message that says what to do, and not after", async () => {
    const lock = await takeLock(folder, socketPath);
    expect(await lockHolder(folder, socketPath)).toBe(process.pid);
    const refused = takeLock(folder, socketPath);
    await expect(refused).rejects.toThrow(FolderInUseError);
    await expect(refused).rejects.toThrow(
      `DATA_DIR ${folder} is in use by process ${process.pid}. Stop that process, or set DATA_DIR to another folder.`,
    );
    lock.release();
    expect(locks()).toEqual([]);
    await takeLock(folder, socketPath);
  });

  it("takes over from a process that was killed", async () => {
    const holder = spawn(process.execPath, ["-e", script(`console.log("held"); setInterval(() => {}, 1000)`)]);
    await once(holder.stdout, "data");
    await expect(takeLock(folder, socketPath)).rejects.toThrow(String(holder.pid));
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await takeLock(folder, socketPath);
    expect(await lockHolder(folder, socketPath)).toBe(process.pid);
    expect(locks()).toHaveLength(1);
  });

  it.runIf(process.platform === "linux")(
    "does not mistake a later process with the same number for the holder",
    async () => {
      await takeLock(folder, socketPath);
      const [name = ""] = locks();
      const [pid, start, ...world] = readlinkSync(join(folder, name)).split(":");
      rmSync(join(folder, name));
      symlinkSync([pid, Number(start) - 1, ...world].join(":"), join(folder, name));
      await takeLock(folder, socketPath);
    },
  );

  it("asks the socket whether a holder in another container lives", async () => {
    lockFromElsewhere(60);
    const server = createServer().listen(socketPath);
    await once(server, "listening");
    await expect(takeLock(folder, socketPath)).rejects.toThrow(FolderInUseError);
    server.close();
    await once(server, "close");
    await takeLock(folder, socketPath);
    expect(locks()).toEqual(["lock.5"]);
  });

  it("is refused while a holder in another container that does not answer refreshes its lock", async () => {
    const refresh = lockFromElsewhere(1);
    const refreshing = setInterval(refresh, 500);
    onTestFinished(() => clearInterval(refreshing));
    await expect(takeLock(folder, socketPath)).rejects.toThrow(FolderInUseError);
    expect(await lockHolder(folder, socketPath)).toBe(1);
  });

  it("waits until the lock of a holder in another container is stale", async () => {
    const start = performance.now();
    lockFromElsewhere(14);
    await takeLock(folder, socketPath);
    // 15 seconds after its refresh; timers may fire early
    expect(performance.now() - start).toBeGreaterThan(500);
    expect(locks()).toEqual(["lock.5"]);
  });

  it("refreshes the lock while it is held", async () => {
    const lock = await takeLock(folder, socketPath);
    const refreshedAt = () => lstatSync(join(folder, locks()[0] ?? "")).mtimeMs;
    const before = refreshedAt();
    await vi.waitUntil(() => refreshedAt() > before, 10_000);
    lock.release();
  });

  it("goes to only one of many processes that want a dead process's lock", async () => {
    const dead = spawnSync(process.execPath, ["-e", "process.exit()"]).pid;
    symlinkSync(`${dead}:1:`, join(folder, "lock.1"));
    lutimesSync(join(folder, "lock.1"), 0, 0);
    const contenders = Array.from({ length: 8 }, async () => {
      const child = spawn(process.execPath, ["-e", script(`console.log("held"); setInterval(() => {}, 1000)`)]);
      const [output] = await once(child.stdout, "data");
      return { child, said: String(output).trim() };
    });
    const outcomes = await Promise.all(contenders);
    const exits = outcomes.map(({ child }) => child.exitCode ?? once(child, "exit"));
    for (const { child } of outcomes) child.kill("SIGKILL");
    await Promise.all(exits);
    expect(outcomes.map(({ said }) => said).sort()).toEqual([...Array(7).fill("FolderInUseError"), "held"]);
  });
});

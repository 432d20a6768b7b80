// Plain JavaScript: the start scripts use it on Node 20, before anything is installed.
import { lstatSync, lutimesSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The folder is in use by a live process. */
export class FolderInUseError extends Error {
  name = "FolderInUseError";

  /**
   * @param {string} folder
   * @param {number} pid
   */
  constructor(folder, pid) {
    super(`DATA_DIR ${folder} is in use by process ${pid}. Stop that process, or set DATA_DIR to another folder.`);
    this.pid = pid;
  }
}

/** @typedef {{ generation: number, pid: number, identity: string }} Holder */

const LOCK_NAME = /^lock\.(\d+)$/;
const REFRESH_MS = 2_000;
/** Long enough for a holder that is busy, and for clocks that differ a little. */
const STALE_AFTER_MS = 15_000;
const WATCH_EVERY_MS = 250;

/**
 * Takes the lock of a folder for this process, or throws FolderInUseError. The lock is a symbolic link `lock.<n>` whose
 * target names the holder: creating a link is atomic, including its content, and fails when it exists. Deleting and
 * recreating the lock of a dead process would race, so the next holder creates generation n + 1, which only one process
 * can. The holder refreshes the time of its lock.
 * @param {string} folder
 * @param {string} [socketPath] tells whether a holder in another container or on another machine, whose process is
 *   invisible from here, is alive. While it does not answer, the holder may be starting, stopping, or out of reach: it
 *   counts as dead once it has not refreshed its lock for `STALE_AFTER_MS`. Without a path, it counts as dead.
 * @returns {Promise<{ release(): void }>}
 */
export async function takeLock(folder, socketPath) {
  for (;;) {
    const holder = currentHolder(folder);
    if (holder && (await isAlive(folder, holder, socketPath))) throw new FolderInUseError(folder, holder.pid);
    const generation = (holder?.generation ?? 0) + 1;
    if (!makeLock(folder, generation)) continue;
    // another process may have continued from a generation that has just been released: the highest generation wins
    if (currentHolder(folder)?.generation !== generation) {
      rmSync(lockPath(folder, generation), { force: true });
      continue;
    }
    for (const older of generations(folder)) if (older < generation) rmSync(lockPath(folder, older), { force: true });
    const refreshing = setInterval(() => refresh(lockPath(folder, generation)), REFRESH_MS);
    refreshing.unref();
    return {
      release() {
        clearInterval(refreshing);
        rmSync(lockPath(folder, generation), { force: true });
      },
    };
  }
}

/**
 * The process id of the live holder of a folder's lock, if there is one.
 * @param {string} folder
 * @param {string} socketPath
 * @returns {Promise<number | undefined>}
 */
export async function lockHolder(folder, socketPath) {
  const holder = currentHolder(folder);
  return holder && (await isAlive(folder, holder, socketPath)) ? holder.pid : undefined;
}

/**
 * Whether a process listens on a Unix socket.
 * @param {string} socketPath
 * @returns {Promise<boolean>}
 */
export function answers(socketPath) {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/**
 * @param {string} folder
 * @param {number} generation
 */
function lockPath(folder, generation) {
  return join(folder, `lock.${generation}`);
}

/**
 * @param {string} folder
 * @param {number} generation
 */
function makeLock(folder, generation) {
  try {
    symlinkSync(`${process.pid}:${identityOf(process.pid)}`, lockPath(folder, generation));
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** @param {string} folder */
function generations(folder) {
  return readdirSync(folder).flatMap((name) => Number(LOCK_NAME.exec(name)?.[1] ?? []));
}

/**
 * @param {string} folder
 * @returns {Holder | undefined}
 */
function currentHolder(folder) {
  const generation = Math.max(...generations(folder), 0);
  if (generation === 0) return undefined;
  try {
    const [pid = "", ...identity] = readlinkSync(lockPath(folder, generation)).split(":");
    return { generation, pid: Number(pid), identity: identity.join(":") };
  } catch (error) {
    // released between the two reads
    if (isCode(error, "ENOENT")) return currentHolder(folder);
    throw error;
  }
}

/**
 * Distinguishes a process from a later one with the same number: its start time in ticks since boot, the boot and the
 * container. Parts that the system does not provide are empty.
 * @param {number} pid
 */
function identityOf(pid) {
  const stat = readText(`/proc/${pid}/stat`);
  const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  return `${startTime}:${bootAndContainer()}`;
}

function bootAndContainer() {
  try {
    const boot = readText("/proc/sys/kernel/random/boot_id").trim();
    return `${boot}:${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch {
    // not Linux: only the process number is known
    return ":";
  }
}

/**
 * @param {string} folder
 * @param {Holder} holder
 * @param {string} [socketPath]
 */
async function isAlive(folder, holder, socketPath) {
  if (!holder.identity.endsWith(`:${bootAndContainer()}`)) {
    if (socketPath === undefined) return false;
    return (await answers(socketPath)) || refreshes(lockPath(folder, holder.generation));
  }
  if (!processExists(holder.pid)) return false;
  return holder.identity === identityOf(holder.pid);
}

/** @param {string} path */
function refresh(path) {
  try {
    const now = new Date();
    lutimesSync(path, now, now);
  } catch {
    // the folder is gone, or its file system keeps no times of links
  }
}

/**
 * Watches a lock until its holder refreshes or removes it, or it is stale.
 * @param {string} path
 */
async function refreshes(path) {
  const first = refreshedAt(path);
  if (first === undefined) return false;
  // a time ahead of the clock here must not prolong the wait
  const waitMaxMs = Math.min(first + STALE_AFTER_MS - Date.now(), STALE_AFTER_MS);
  for (let waited = 0; waited < waitMaxMs; waited += WATCH_EVERY_MS) {
    await setTimeout(WATCH_EVERY_MS);
    const latest = refreshedAt(path);
    if (latest !== first) return latest !== undefined;
  }
  return false;
}

/**
 * Milliseconds since 1970; undefined when the lock is gone.
 * @param {string} path
 */
function refreshedAt(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** @param {number} pid */
function processExists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // no such process, or no /proc
    return "";
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}

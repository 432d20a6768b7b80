// Plain JavaScript: the start scripts use it on Node 20, before anything is installed.
import { readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";

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

/**
 * Takes the lock of a folder for this process, or throws FolderInUseError. The lock is a symbolic link `lock.<n>` whose
 * target names the holder: creating a link is atomic, including its content, and fails when it exists. Deleting and
 * recreating the lock of a dead process would race, so the next holder creates generation n + 1, which only one process
 * can.
 * @param {string} folder
 * @param {string} [socketPath] tells whether a holder in another container, whose process is invisible from here, is
 *   alive; without it, such a holder counts as dead
 * @returns {Promise<{ release(): void }>}
 */
export async function takeLock(folder, socketPath) {
  for (;;) {
    const holder = currentHolder(folder);
    if (holder && (await isAlive(holder, socketPath))) throw new FolderInUseError(folder, holder.pid);
    const generation = (holder?.generation ?? 0) + 1;
    if (!makeLock(folder, generation)) continue;
    // another process may have continued from a generation that was released meanwhile: the highest generation wins
    if (currentHolder(folder)?.generation !== generation) {
      rmSync(lockPath(folder, generation), { force: true });
      continue;
    }
    for (const older of generations(folder)) if (older < generation) rmSync(lockPath(folder, older), { force: true });
    return {
      release: () => rmSync(lockPath(folder, generation), { force: true }),
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
  return holder && (await isAlive(holder, socketPath)) ? holder.pid : undefined;
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
 * @param {Holder} holder
 * @param {string} [socketPath]
 */
async function isAlive(holder, socketPath) {
  if (!holder.identity.endsWith(`:${bootAndContainer()}`)) return socketPath !== undefined && answers(socketPath);
  if (!processExists(holder.pid)) return false;
  return holder.identity === identityOf(holder.pid);
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

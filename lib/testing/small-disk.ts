import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Whether this process can mount a disk, which takes root and a container that allows mounts. */
export const canMount = await tryMount();

async function tryMount(): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), "mount-"));
  try {
    return await onSmallDisk(folder, async () => true);
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the work while the folder is a disk of this many megabytes. */
export async function onSmallDisk<T>(folder: string, work: () => Promise<T>, megabytes = 1): Promise<T> {
  await mkdir(folder, { recursive: true });
  run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  try {
    return await work();
  } finally {
    run("umount", ["-l", folder]);
  }
}

function run(command: string, parameters: string[]): void {
  const { status } = spawnSync(command, parameters, { stdio: "ignore" });
  if (status !== 0) throw new Error(`${command} is not allowed`);
}

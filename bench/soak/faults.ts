import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canMount, onSmallDisk } from "../../lib/testing/small-disk.ts";
import { SHIFTED_CLOCK, shiftClock } from "./clock.ts";
import { DISK_MEGABYTES, fillDisk } from "./full-disk.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { withPostgres } from "./postgres.ts";
import { injectFaults } from "./process-faults.ts";
import { loseObjectStore } from "./store-outage.ts";
import { type Subject, withSubject } from "./subject.ts";

/** Injects faults around the product, one after the other, and checks the data after each. */
export const faults: Machine = {
  about: "kills and pauses processes, fills the disk and changes the clock: nothing is lost, duplicated or stuck",
  run: async (run) => [
    ...(await onEmbedded(run, "embedded", {}, (subject) => injectFaults(subject))),
    ...(await onServer(run)),
    ...(await onEmbedded(run, "clock", SHIFTED_CLOCK, shiftClock)),
    ...(await onFullDisk(run)),
    ...(await loseObjectStore(run)),
  ],
};

async function onEmbedded(
  run: MachineRun,
  name: string,
  variables: Record<string, string>,
  harm: (subject: Subject, dataDir: string) => Promise<Measured[]>,
  dataDir = mkdtempSync(join(tmpdir(), "ragstone-faults-")),
): Promise<Measured[]> {
  const target = { dataDir };
  const all = { ...variables, DATA_DIR: dataDir, DATABASE_URL: "" };
  try {
    return await withSubject(run, { name, variables: all, target }, (subject) => harm(subject, dataDir));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function onServer(run: MachineRun): Promise<Measured[]> {
  const rows = await withPostgres(run.say, ({ url, stop, restart }) => {
    const crash = () => {
      stop();
      restart();
    };
    const dataDir = mkdtempSync(join(tmpdir(), "ragstone-faults-"));
    const variables = { DATABASE_URL: url, DATA_DIR: dataDir };
    return withSubject(run, { name: "server", variables, target: { url } }, (subject) => injectFaults(subject, crash));
  });
  return rows ?? [];
}

async function onFullDisk(run: MachineRun): Promise<Measured[]> {
  if (!canMount) {
    run.say("skipped the full disk: this machine cannot mount a disk");
    return [];
  }
  const disk = mkdtempSync(join(tmpdir(), "ragstone-disk-"));
  const dataDir = join(disk, "data");
  try {
    return await onSmallDisk(
      disk,
      () => {
        mkdirSync(dataDir);
        return onEmbedded(run, "full disk", {}, fillDisk, dataDir);
      },
      DISK_MEGABYTES,
    );
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
}

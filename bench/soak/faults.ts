import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { canMount, onSmallDisk } from "../../lib/testing/small-disk.ts";
import { shiftClock, shiftedClock } from "./clock.ts";
import { DISK_MEGABYTES, fillDisk } from "./full-disk.ts";
import { broken, chosenParts, type Machine, type MachineRun, type Measured, reportRows, skipped } from "./machine.ts";
import { NO_POSTGRES, withPostgres } from "./postgres.ts";
import { injectFaults } from "./process-faults.ts";
import { loseObjectStore } from "./store-outage.ts";
import { type Subject, withSubject } from "./subject.ts";

/** How long a killed PostgreSQL server stays unavailable. */
const DOWN_MS = 1_000;

const PARTS: Record<string, (run: MachineRun) => Promise<Measured[]>> = {
  embedded: (run) => onEmbedded(run, { name: "embedded" }, (subject) => injectFaults(subject)),
  server: onServer,
  clock: onShiftedClock,
  "full disk": onFullDisk,
  "object store": loseObjectStore,
};

/** Injects faults around the product, one after the other, and checks the data after each. */
export const faults: Machine = {
  about: "kills and pauses processes, fills the disk and changes the clock: nothing is lost, duplicated or stuck",
  async run(run) {
    const rows: Measured[] = [];
    for (const [name, part] of chosenParts(Object.entries(PARTS), ([name]) => name, run.only)) {
      rows.push(...reportRows(run.say, await part(run).catch((error: unknown) => [broken(name, error)])));
    }
    return rows;
  },
};

interface EmbeddedOptions {
  name: string;
  dataDir?: string;
  variables?: Record<string, string>;
  fillsDisk?: boolean;
}

async function onEmbedded(
  run: MachineRun,
  { name, dataDir = newFolder(), variables = {}, fillsDisk = false }: EmbeddedOptions,
  harm: (subject: Subject, dataDir: string) => Promise<Measured[]>,
): Promise<Measured[]> {
  const all = { ...variables, DATA_DIR: dataDir, DATABASE_URL: "" };
  const options = { name, variables: all, target: { dataDir }, fillsDisk };
  try {
    return await withSubject(run, options, (subject) => harm(subject, dataDir));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function onServer(run: MachineRun): Promise<Measured[]> {
  const rows = await withPostgres(run.say, async ({ url, kill, restart }) => {
    const recover = async () => {
      await setTimeout(DOWN_MS);
      await restart();
    };
    const dataDir = newFolder();
    const options = { name: "server", variables: { DATABASE_URL: url, DATA_DIR: dataDir }, target: { url } };
    try {
      return await withSubject(run, options, (subject) => injectFaults(subject, { kill, recover }));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
  return rows ?? [skipped("server", NO_POSTGRES)];
}

async function onShiftedClock(run: MachineRun): Promise<Measured[]> {
  const dataDir = newFolder();
  return onEmbedded(run, { name: "clock", dataDir, variables: shiftedClock(dataDir) }, shiftClock);
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "ragstone-faults-"));
}

async function onFullDisk(run: MachineRun): Promise<Measured[]> {
  if (!canMount) return [skipped("full disk", "this machine cannot mount a disk")];
  const disk = mkdtempSync(join(tmpdir(), "ragstone-disk-"));
  const dataDir = join(disk, "data");
  try {
    return await onSmallDisk(
      disk,
      () => {
        mkdirSync(dataDir);
        return onEmbedded(run, { name: "full disk", dataDir, fillsDisk: true }, fillDisk);
      },
      DISK_MEGABYTES,
    );
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
}

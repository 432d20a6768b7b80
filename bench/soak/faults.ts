import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../lib/errors.ts";
import { canMount, onSmallDisk } from "../../lib/testing/small-disk.ts";
import { SHIFTED_CLOCK, shiftClock } from "./clock.ts";
import { DISK_MEGABYTES, fillDisk } from "./full-disk.ts";
import { type Machine, type MachineRun, type Measured, told } from "./machine.ts";
import { withPostgres } from "./postgres.ts";
import { injectFaults } from "./process-faults.ts";
import { loseObjectStore } from "./store-outage.ts";
import { type Subject, withSubject } from "./subject.ts";

const PARTS: Record<string, (run: MachineRun) => Promise<Measured[]>> = {
  embedded: (run) => onEmbedded(run, "embedded", {}, (subject) => injectFaults(subject)),
  server: onServer,
  clock: (run) => onEmbedded(run, "clock", SHIFTED_CLOCK, shiftClock),
  "full disk": onFullDisk,
  "object store": loseObjectStore,
};

/** Injects faults around the product, one after the other, and checks the data after each. */
export const faults: Machine = {
  about: "kills and pauses processes, fills the disk and changes the clock: nothing is lost, duplicated or stuck",
  async run(run) {
    const rows: Measured[] = [];
    for (const [name, part] of Object.entries(PARTS)) {
      if (!name.includes(run.only ?? "")) continue;
      rows.push(...told(run.say, await part(run).catch((error: unknown) => [broken(name, error)])));
    }
    return rows;
  },
};

function broken(part: string, error: unknown): Measured {
  return { promise: `${part}: the check runs to its end`, measured: messageOf(error), kept: false };
}

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
    const crash = async () => {
      await stop();
      await restart();
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

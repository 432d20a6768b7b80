import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Measured, row } from "./machine.ts";
import type { Subject } from "./subject.ts";

/** The database engine's own files need about 80 MB. */
export const DISK_MEGABYTES = 256;
const FULL_MS = { short: 6_000, full: 30_000 };
const MEGABYTE = 1_024 * 1_024;
const SOURCES_AT_ONCE = 20;

/** Fills the disk of the data folder while sources are added and questions are asked, then frees it. */
export async function fillDisk({ give, settle, client, short, say }: Subject, dataDir: string): Promise<Measured[]> {
  await give(SOURCES_AT_ONCE);
  await settle();
  const filler = join(dataDir, "filler");
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    writeFileSync(filler, Buffer.alloc(bavail * bsize + MEGABYTE));
  } catch {
    // fails after filling all free space, as intended
  }
  let full = true;
  let accepted = 0;
  const giving = (async () => {
    for (; full; accepted++) await give(SOURCES_AT_ONCE);
  })();
  await setTimeout(short ? FULL_MS.short : FULL_MS.full);
  const { bavail } = statfsSync(dataDir);
  say(`disk full: ${bavail} blocks free, ${accepted} times ${SOURCES_AT_ONCE} sources were accepted`);
  full = false;
  rmSync(filler, { force: true });
  await giving;
  const clear = client.diskFull.filter((body) => body.includes("disk is full"));
  return [
    row("the disk was full while sources were added", `${bavail} blocks were free`, bavail < 64),
    row(
      "PUTs to a full disk get 507 that names the disk",
      `${clear.length} of ${client.diskFull.length}`,
      clear.length > 0 && clear.length === client.diskFull.length,
    ),
  ];
}

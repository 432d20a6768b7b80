import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measured } from "../machine.ts";

const WITHIN_MS = 60_000;
/** Entries to report: the pipes in the folder, one of them behind a link, and the device that is given directly. */
const NAMED = 3;

/** Adds a folder of links and pipes from the command line, which must add the one file and report the rest. */
export async function ingestHostileFolder({ dataDir }: { dataDir: string }, companyId: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "ragstone-hostile-"));
  try {
    fill(folder);
    const words = ["ingest", "--company", companyId, "--no-wait", "--json", join(folder, "given"), "/dev/zero"];
    const { output, ended } = await ragstone(words, dataDir);
    const named = output.match(/pipe, a socket or a device/g)?.length ?? 0;
    const kept = ended && named === NAMED && output.includes('"queued":1');
    const measured = ended ? `${named} reported, ${kept ? "1 file added" : output.slice(0, 200)}` : "did not end";
    return { promise: "ingest of link loops, outside links, pipes and devices ends", measured, kept };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fill(folder: string): void {
  const given = join(folder, "given");
  mkdirSync(join(given, "sub"), { recursive: true });
  writeFileSync(join(folder, "outside.md"), "Outside");
  writeFileSync(join(given, "file.md"), "Granite");
  execFileSync("mkfifo", [join(given, "pipe.md")]);
  const links = {
    "to-pipe.md": join(given, "pipe.md"),
    "zeros.md": "/dev/zero",
    "outside.md": join(folder, "outside.md"),
    "passwd.md": "/etc/passwd",
    "self.md": join(given, "self.md"),
    "sub/up": given,
    "dangling.md": join(folder, "nowhere"),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(given, name));
}

function ragstone(words: string[], dataDir: string): Promise<{ output: string; ended: boolean }> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" };
  const all = ["--import", "./scripts/start/quick-imports.ts", "scripts/cli/ragstone.ts", ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { env, timeout: WITHIN_MS }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, ended: error?.signal === undefined || error.signal === null }),
    );
  });
}

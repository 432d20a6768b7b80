import type { Command } from "commander";
import { defaultBackupFile } from "../../lib/backup/automatic-backups.ts";
import { missingOriginals } from "../../lib/backup/originals.ts";
import { restoreBackup } from "../../lib/backup/restore.ts";
import { writeBackup } from "../../lib/backup/write.ts";
import { say } from "../../lib/client/cli/terminal.ts";
import { counted } from "../../lib/counted.ts";
import { appliedMigrations } from "../../lib/db/migrate.ts";
import { env } from "../../lib/env.ts";
import { isWorkerRunning } from "../../lib/jobs/presence.ts";
import { example, interrupted, readableFile, run, UsageError, writableFile } from "./context.ts";

export function backupCommand(backup: Command): void {
  backup
    .argument("[file]", "the file to write; a new file in DATA_DIR/backups by default")
    .action((file: string | undefined, _options: object, command: Command) =>
      run(
        command,
        async () => {
          const target = file === undefined ? defaultBackupFile("manual") : await writableFile(file);
          if ((await appliedMigrations()).length === 0) throw new UsageError(nothingToBackUp());
          const { missing, ...written } = await writeBackup(target, { originals: true, signal: interrupted });
          if (missing > 0)
            say(`Missing in DATA_DIR/files, and therefore in the backup: ${counted(missing, "original file")}.`);
          return { value: written, lines: [`${written.file}  ${written.bytes} bytes`] };
        },
        { database: "any" },
      ),
    );
  example(backup, "backup /mnt/backups/ragstone.jsonl.gz");
}

function nothingToBackUp(): string {
  const { databaseUrl, dataDir } = env();
  return `The database ${databaseUrl ? "of DATABASE_URL" : `in ${dataDir}`} is empty: there is nothing to back up.`;
}

export function restoreCommand(restore: Command): void {
  restore.argument("<file>", "a file written by `backup`").action((file: string, _options: object, command: Command) =>
    run(
      command,
      async () => {
        const path = await readableFile(file);
        if ((await appliedMigrations()).length > 0 && (await isWorkerRunning())) {
          throw new UsageError("A server is running on this database. Stop it, then restore.");
        }
        const { companies } = await restoreBackup(path, { signal: interrupted });
        const { needed, missing, folder } = await missingOriginals();
        if (missing > 0) say(`${missing} of ${counted(needed, "original")} missing: copy them back to ${folder}.`);
        return {
          value: { companies },
          lines: [companies === 1 ? "Restored 1 company" : `Restored ${companies} companies`],
        };
      },
      { database: "any" },
    ),
  );
  example(restore, "restore /mnt/backups/ragstone.jsonl.gz");
}

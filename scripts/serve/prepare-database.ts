import { backupBeforeMigration } from "../../lib/backup/automatic-backups.ts";
import { migrate } from "../../lib/db/migrate.ts";
import { createSetupCode } from "../../lib/members/setup.ts";
import { type SampleAccess, seedSample } from "../../lib/sample/sample.ts";

interface FirstAccess {
  sample: SampleAccess | null;
  /** Code for the page that creates the first admin; null if there is a user. */
  setupCode: string | null;
}

/** Backs up and migrates the database. On the very first start, creates the sample company. */
export async function prepareDatabase(): Promise<FirstAccess> {
  await backupBeforeMigration();
  await migrate();
  const sample = await seedSample();
  return { sample, setupCode: await createSetupCode() };
}

import { backupBeforeMigration } from "../../lib/backup/automatic-backups.ts";
import { inMigrationTurn, migrate } from "../../lib/db/migrate.ts";
import { createSetupCode } from "../../lib/members/setup.ts";
import { seedSample } from "../../lib/sample/sample.ts";

interface FirstAccess {
  /** The sample company that has to be presented; null after the first start. */
  sampleCompanyId: string | null;
  /** Code for the page that creates the first admin; null if there is a user, or will be with the sample. */
  setupCode: string | null;
}

/** Backs up and migrates the database. On the very first start, creates the sample company. */
export async function prepareDatabase(): Promise<FirstAccess> {
  await inMigrationTurn(async () => {
    await backupBeforeMigration();
    await migrate();
  });
  const sampleCompanyId = await seedSample();
  return { sampleCompanyId, setupCode: sampleCompanyId === null ? await createSetupCode() : null };
}

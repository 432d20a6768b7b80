import { z } from "zod";

/**
 * A backup is gzip of JSON lines: the header, `{"<table>": <row>}` for every row with a table after those that it refers
 * to, before and after all rows `{"$original": {key, base64}}` for every original, and `{"$end": true}`.
 */
export const BACKUP_FORMAT = "ragstone-backup";

export const backupHeader = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.literal(1),
  /** Hashes: the schema that the rows are of. */
  migrations: z.array(z.string()),
  createdAt: z.iso.datetime(),
});

export const originalLine = z.object({ $original: z.object({ key: z.string(), base64: z.base64() }) });

/** A row's table, and where its JSON begins in the line. */
export const ROW_LINE = /^\{"([a-z][a-z0-9_]*)":/;

import { z } from "zod";

/**
 * A backup is gzip of JSON lines: the header; `{"<table>": <row>}` for every row, each table after those that it refers
 * to; before and after all rows, `{"$original": {key, base64}}` for every original; and `{"$end": true}`.
 */
export const BACKUP_FORMAT = "ragstone-backup";

export const backupHeader = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.literal(1),
  /** Hashes of the migrations that define the schema of the rows. */
  migrations: z.array(z.string()),
  createdAt: z.iso.datetime(),
});

export const originalLine = z.object({ $original: z.object({ key: z.string(), base64: z.base64() }) });

/** Matches a row's line: its table, and where its JSON starts. */
export const ROW_LINE = /^\{"([a-z][a-z0-9_]*)":/;

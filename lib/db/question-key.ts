import { type SQL, sql } from "drizzle-orm";

/**
 * A hash of the text by which two questions count as the same: without case, repeated spaces and final punctuation. The
 * locale of the database decides what a capital is, so a restore computes it again.
 */
export function questionKey(question: SQL): SQL {
  // not every locale counts no-break spaces as spaces
  const text = sql`lower(btrim(regexp_replace(${question}, '[\\s\\u00a0\\u202f]+', ' ', 'g'), ' ?!.'))`;
  return sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
}

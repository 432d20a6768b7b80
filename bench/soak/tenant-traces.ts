import { sql } from "drizzle-orm";
import { connection } from "../../lib/db/client.ts";
import { everythingOf, type FilledCompany, passwordOf } from "../../lib/testing/filled-company.ts";
import { AUTH_SECRET } from "./tenant-send.ts";

/**
 * Finds secrets in the wrong place after a run: keys, passwords and the session secret in rows or logs, words of
 * documents in logs, and a company's word in rows of the other company.
 */
export async function searchForSecrets(
  companies: readonly [FilledCompany, FilledCompany],
  tokens: string[],
  logs: string,
): Promise<string[]> {
  const traces: string[] = [];
  const words = companies.map(({ word }) => word);
  const secrets = [...tokens, ...words.map(passwordOf), AUTH_SECRET];
  const note = (place: string, text: string, forbidden: string[]) => {
    for (const secret of forbidden) {
      const at = text.indexOf(secret);
      if (at >= 0) traces.push(`${place} holds ${secret}: ${text.slice(Math.max(0, at - 80), at + 80)}`);
    }
  };
  note("the log", logs, [...secrets, ...words]);
  for (const [table, text] of await dump()) note(table, text, secrets);
  const [first, second] = companies;
  for (const [{ scope, word }, other] of [
    [first, second],
    [second, first],
  ] as const) {
    for (const [table, rows] of Object.entries(await everythingOf(scope))) {
      note(`${table} of ${word}`, rows.join("\n"), [other.word]);
    }
  }
  return traces;
}

/** Every row of the database as text, by table. */
async function dump(): Promise<[string, string][]> {
  const { db } = connection();
  const tables = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  const texts: [string, string][] = [];
  for (const { name } of tables) {
    const rows = await db.execute<{ row: string }>(sql`select t::text as row from ragstone.${sql.identifier(name)} t`);
    texts.push([name, rows.map(({ row }) => row).join("\n")]);
  }
  return texts;
}

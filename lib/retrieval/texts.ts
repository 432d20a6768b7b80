import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { readTexts } from "./queries.ts";

/** Limit over all companies: a few megabytes. */
const REMEMBERED_MAX = 100_000;

let remembered = new Map<CompanyId, Map<number, number>>();
let count = 0;

/**
 * A hash of each chunk's text, by ordinal, which shows equal texts before any is read. An ordinal never gets another text,
 * so hashes are cached. Clears the cache when it is full.
 */
export async function textsOf(
  tx: Transaction,
  { companyId, ordinals }: { companyId: CompanyId; ordinals: number[] },
): Promise<Map<number, number>> {
  const known = remembered.get(companyId) ?? new Map<number, number>();
  const missing = ordinals.filter((ordinal) => !known.has(ordinal));
  const read = await readTexts(tx, { companyId, ordinals: missing });
  const texts = new Map(ordinals.map((ordinal) => [ordinal, known.get(ordinal) ?? read.get(ordinal) ?? 0]));
  remember(companyId, read);
  return texts;
}

function remember(companyId: CompanyId, read: Map<number, number>): void {
  if (count + read.size > REMEMBERED_MAX) {
    remembered = new Map();
    count = 0;
  }
  const known = remembered.get(companyId) ?? new Map<number, number>();
  remembered.set(companyId, known);
  for (const [ordinal, text] of read) known.set(ordinal, text);
  count += read.size;
}

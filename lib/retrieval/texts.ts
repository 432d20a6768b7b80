import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { readTexts } from "./queries.ts";

/** Of all companies together: some megabytes. */
const REMEMBERED_MAX = 100_000;

let remembered = new Map<CompanyId, Map<number, number>>();
let count = 0;

/**
 * By ordinal, a hash of each chunk's text, to tell which are the same before any is read. An ordinal names one text for
 * ever, so it is asked for once; starts afresh when full.
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

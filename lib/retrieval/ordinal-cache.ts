import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";

interface Ordinals {
  companyId: CompanyId;
  ordinals: number[];
}

type ReadByOrdinal<Value> = (tx: Transaction, wanted: Ordinals) => Promise<Map<number, Value>>;

/**
 * Caches what never changes of a chunk, by ordinal: an ordinal never gets another text. Clears the cache when it is full.
 * @param limit entries over all companies
 */
export function cachedByOrdinal<Value>(read: ReadByOrdinal<Value>, limit: number): ReadByOrdinal<Value> {
  let remembered = new Map<CompanyId, Map<number, Value>>();
  let count = 0;

  function remember(companyId: CompanyId, found: Map<number, Value>): void {
    if (count + found.size > limit) {
      remembered = new Map();
      count = 0;
    }
    const known = remembered.get(companyId) ?? new Map<number, Value>();
    remembered.set(companyId, known);
    for (const [ordinal, value] of found) known.set(ordinal, value);
    count += found.size;
  }

  return async (tx, { companyId, ordinals }) => {
    const known = remembered.get(companyId) ?? new Map<number, Value>();
    const missing = ordinals.filter((ordinal) => !known.has(ordinal));
    const found = await read(tx, { companyId, ordinals: missing });
    const values = new Map<number, Value>();
    for (const ordinal of ordinals) {
      const value = known.get(ordinal) ?? found.get(ordinal);
      if (value !== undefined) values.set(ordinal, value);
    }
    remember(companyId, found);
    return values;
  };
}

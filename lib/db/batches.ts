/** The embedded database runs one statement at a time, so short transactions keep retrieval fast. */
export const ROWS_PER_TRANSACTION = 200;

/** The items in order, in parts of `size`; the last part may be smaller. */
export function* batches<Item>(items: Item[], size = ROWS_PER_TRANSACTION): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

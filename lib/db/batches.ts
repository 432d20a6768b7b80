/** The embedded database runs one statement at a time, so short transactions keep retrieval fast. */
export const ROWS_PER_TRANSACTION = 200;
/** A single text may have 10 MB. */
export const BYTES_PER_TRANSACTION = 10_000_000;

/** The items in order, in parts of `size`; the last part may be smaller. */
export function* batches<Item>(items: Item[], size = ROWS_PER_TRANSACTION): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The items in order, in parts that are small in rows and in bytes; a larger item is a part of its own. */
export function* batchesBySize<Item extends { bytes: number }>(items: Item[]): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const isFull = batch.length === ROWS_PER_TRANSACTION || bytes + item.bytes > BYTES_PER_TRANSACTION;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += item.bytes;
  }
  if (batch.length > 0) yield batch;
}

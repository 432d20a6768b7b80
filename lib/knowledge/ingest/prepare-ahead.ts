/**
 * Runs two steps for each item, in order: while `use` handles one item, `prepare` works on the next. For steps that wait
 * for different resources. Stops at the first error, after the running work has ended.
 */
export async function prepareAhead<Item, Prepared>(
  items: Iterable<Item> | AsyncIterable<Item>,
  prepare: (item: Item) => Promise<Prepared>,
  use: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  let using = Promise.resolve();
  try {
    for await (const item of items) {
      const prepared = await prepare(item);
      await using;
      using = use(prepared);
      // awaited in the next round, which may be after it failed
      using.catch(() => undefined);
    }
  } finally {
    await using;
  }
}

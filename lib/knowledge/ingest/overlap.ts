/**
 * Runs two steps for each item, in order: while `use` handles one item, `make` prepares the next. For steps that wait for
 * different resources. Stops at the first error, after the running work has ended.
 */
export async function overlap<Item, Made>(
  items: Iterable<Item> | AsyncIterable<Item>,
  make: (item: Item) => Promise<Made>,
  use: (made: Made) => Promise<void>,
): Promise<void> {
  let using = Promise.resolve();
  try {
    for await (const item of items) {
      const made = await make(item);
      await using;
      using = use(made);
      // awaited in the next round, which may be after it failed
      using.catch(() => undefined);
    }
  } finally {
    await using;
  }
}

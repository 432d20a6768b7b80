/**
 * Makes something of each item and uses it, one after the other, except that the next is made while the last is in use:
 * for two steps that wait for different things. The first error ends it, and nothing is left running.
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
      // it is awaited below, but perhaps after it failed
      using.catch(() => undefined);
    }
  } finally {
    await using;
  }
}

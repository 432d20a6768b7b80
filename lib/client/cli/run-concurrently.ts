/** Works on several items at a time. Begins no further item after the first error. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = inOrder(items);
  const one = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, one));
}

/** A loop that an error leaves closes a generator, and so ends the other loops too. */
function* inOrder<Item>(items: readonly Item[]): Generator<Item> {
  yield* items;
}

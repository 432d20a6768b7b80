/** Runs a generator to its end and returns its return value, for callers that do not need its steps. */
export async function returnValueOf<Value>(generator: AsyncGenerator<unknown, Value>): Promise<Value> {
  for (;;) {
    const next = await generator.next();
    if (next.done) return next.value;
  }
}

/** The heading, which needs no database, and the first line, which does. */
const LINES_READ_AHEAD = 2;

/**
 * Streams lines as the body of a response while they are read. The first lines are read before the response starts, so
 * that an error at the start becomes an error response and not a broken download.
 */
export async function streamLines(lines: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const first: IteratorResult<string>[] = [];
  while (first.length < LINES_READ_AHEAD && !first.at(-1)?.done) first.push(await lines.next());
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = first.shift() ?? (await lines.next());
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

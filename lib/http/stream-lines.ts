/** A heading, which needs no database, and what follows it. */
const READ_BEFORE = 2;

/**
 * Lines as the body of a response, sent as they are read. The first ones are read before there is a response, so that a
 * failure to begin is answered as an error and not by a download that breaks off.
 */
export async function streamLines(lines: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const first: IteratorResult<string>[] = [];
  while (first.length < READ_BEFORE && !first.at(-1)?.done) first.push(await lines.next());
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

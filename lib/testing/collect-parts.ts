/** All parts that a generator yields. */
export async function collectParts(parts: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

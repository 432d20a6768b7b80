/** The query string of a URL as an object of texts, and of arrays for names that are repeated. */
export function queryOf({ url }: { url: string }): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url).searchParams) {
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else values.set(name, [before, value]);
  }
  return Object.fromEntries(values);
}

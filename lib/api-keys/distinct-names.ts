/** The names of keys by id. Keys that share a name get their last characters appended. Pure. */
export function distinctNames(keys: readonly { id: string; name: string; maskedToken: string }[]): Map<string, string> {
  const named = Map.groupBy(keys, ({ name }) => name);
  return new Map(
    keys.map(({ id, name, maskedToken }) => [
      id,
      (named.get(name)?.length ?? 0) > 1 ? `${name} (…${maskedToken.slice(-4)})` : name,
    ]),
  );
}

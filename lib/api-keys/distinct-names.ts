/** The names of keys by id; where two have the same, their last characters tell them apart. Pure. */
export function distinctNames(keys: readonly { id: string; name: string; maskedToken: string }[]): Map<string, string> {
  const named = Map.groupBy(keys, ({ name }) => name);
  return new Map(
    keys.map(({ id, name, maskedToken }) => [
      id,
      (named.get(name)?.length ?? 0) > 1 ? `${name} (…${maskedToken.slice(-4)})` : name,
    ]),
  );
}

/** What a style of a text document says about one matter, such as whether text is hidden. */
export interface TextStyle<T> {
  name: string;
  /** Null when the style that it is based on decides. */
  value: T | null;
  /** The name of the style that it is based on; empty for none. */
  base: string;
}

/** What each style says, by its name, for those that say something or are based on one that does. */
export function decidedStyles<T>(styles: TextStyle<T>[]): Map<string, T> {
  const byName = new Map(styles.map((style) => [style.name, style]));
  const decided = new Map<string, T | null>();
  for (const { name } of styles) {
    const chain: string[] = [];
    let current = byName.get(name);
    while (current && !decided.has(current.name)) {
      chain.push(current.name);
      // also ends the chain of a style that is based on itself
      decided.set(current.name, current.value);
      if (current.value !== null) break;
      current = byName.get(current.base);
    }
    const value = current ? (decided.get(current.name) ?? null) : null;
    for (const each of chain) decided.set(each, value);
  }
  return new Map([...decided].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

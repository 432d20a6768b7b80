/** What a style of a text document says about hiding text. */
export interface TextStyle {
  name: string;
  /** Null when the style that it is based on decides. */
  hides: boolean | null;
  /** The name of the style that it is based on; empty for none. */
  base: string;
}

/** Whether each style hides text, by its name, for those that say so or are based on one that does. */
export function decidedStyles(styles: TextStyle[]): Map<string, boolean> {
  const byName = new Map(styles.map((style) => [style.name, style]));
  const decided = new Map<string, boolean | null>();
  for (const { name } of styles) {
    const chain: string[] = [];
    let current = byName.get(name);
    while (current && !decided.has(current.name)) {
      chain.push(current.name);
      // also ends the chain of a style that is based on itself
      decided.set(current.name, current.hides);
      if (current.hides !== null) break;
      current = byName.get(current.base);
    }
    const hides = current ? (decided.get(current.name) ?? null) : null;
    for (const each of chain) decided.set(each, hides);
  }
  return new Map([...decided].flatMap(([name, hides]) => (hides === null ? [] : [[name, hides]])));
}

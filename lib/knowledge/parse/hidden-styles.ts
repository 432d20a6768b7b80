/** What a style of a text document says about hiding text. */
export interface TextStyle {
  name: string;
  /** Null when the style that it is based on decides. */
  hides: boolean | null;
  /** The name of the style that it is based on; empty for none. */
  base: string;
}

/** The names of the styles that hide text, also because of the style that they are based on. */
export function hiddenStyles(styles: TextStyle[]): Set<string> {
  const byName = new Map(styles.map((style) => [style.name, style]));
  const decided = new Map<string, boolean>();
  for (const { name } of styles) {
    const undecided: string[] = [];
    let current = byName.get(name);
    while (current && current.hides === null && !decided.has(current.name)) {
      undecided.push(current.name);
      // until it is known; a style may be based on itself
      decided.set(current.name, false);
      current = byName.get(current.base);
    }
    const hides = current === undefined ? false : (current.hides ?? decided.get(current.name) ?? false);
    for (const each of current ? [...undecided, current.name] : undecided) decided.set(each, hides);
  }
  return new Set([...decided].filter(([, hides]) => hides).map(([name]) => name));
}

const HIDES = /\\v(?![a-z\d])/;
const TOKEN = /\\bin(\d+) ?|\\([a-z]+)(-?\d+)? ?|\\'[\da-f]{2}|\\[\s\S]|[{}]|[^\\{}]+/g;

/**
 * Removes the text of a Rich Text file that is formatted as hidden.
 * @param rtf one character for each byte
 * @returns also whether there was any
 */
export function withoutHiddenText(rtf: string): { rtf: string; found: boolean } {
  if (!HIDES.test(rtf)) return { rtf, found: false };
  const kept: string[] = [];
  const outer: boolean[] = [];
  let hidden = false;
  let found = false;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(rtf); match; match = TOKEN.exec(rtf)) {
    const [token, binary, word, value] = match;
    if (binary !== undefined) {
      const start = TOKEN.lastIndex;
      TOKEN.lastIndex = start + Math.min(Number(binary), rtf.length);
      kept.push(token, rtf.slice(start, TOKEN.lastIndex));
    } else if (hidden && isText(token, word)) {
      found ||= token.trim() !== "";
    } else {
      kept.push(token);
      if (token === "{") outer.push(hidden);
      else if (token === "}") hidden = outer.pop() ?? false;
      else if (word === "v") hidden = value !== "0";
      else if (word === "plain") hidden = false;
    }
  }
  return { rtf: kept.join(""), found };
}

/** Characters, also escaped ones; control words and groups form the structure. */
function isText(token: string, word: string | undefined): boolean {
  return word === undefined ? token !== "{" && token !== "}" && token !== "\\*" : word === "u";
}

/** Text is hidden by `\v` and `\v1`, and shown again by `\v0`. A tracked change deletes text in the same way. */
const REMOVES = /\\(?:v|deleted)(?!0(?!\d)|[a-z])/;
const TOKEN = /\\bin(\d+) ?|\\([a-z]+)(-?\d+)? ?|\\'[\da-f]{2}|\\[\s\S]|[{}]|[^\\{}]+/g;
/** Control words that begin a group whose text no reader sees, such as names of styles and entries of an index. */
const NOT_SHOWN = new Set(["\\*", "stylesheet", "fonttbl", "info", "xe", "tc", "pict", "object"]);

/** Control words that the library reads as characters. */
const CHARACTERS = new Set(["u", "lquote", "rquote", "ldblquote", "rdblquote", "bullet", "endash", "emdash"]);

interface Group {
  hidden: boolean;
  /** By a tracked change. A reader does not expect this text, so it gets no notice. */
  deleted: boolean;
  /** Whether it is in a text box that belongs to such text. */
  inHidden: boolean;
  shown: boolean;
}

/**
 * Removes the text of a Rich Text file that is formatted as hidden or that a tracked change has deleted.
 * @param rtf one character for each byte
 * @returns the rest, and whether hidden text was removed that a reader would otherwise see
 */
export function withoutHiddenRtfText(rtf: string): { rtf: string; found: boolean } {
  if (!REMOVES.test(rtf)) return { rtf, found: false };
  const kept: string[] = [];
  const outer: Group[] = [];
  let group: Group = { hidden: false, deleted: false, inHidden: false, shown: true };
  let found = false;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(rtf); match; match = TOKEN.exec(rtf)) {
    const [token, binary, word, value] = match;
    if (isRemoved(group) && isText(token, word) && binary === undefined) {
      found ||= group.shown && !group.deleted && token.trim() !== "";
      continue;
    }
    kept.push(token);
    if (binary !== undefined) {
      const start = TOKEN.lastIndex;
      TOKEN.lastIndex = Math.min(start + Number(binary), rtf.length);
      kept.push(rtf.slice(start, TOKEN.lastIndex));
    } else if (token === "{") outer.push({ ...group });
    else if (token === "}") group = outer.pop() ?? group;
    else if (word === "v") group.hidden = value !== "0";
    else if (word === "deleted") group.deleted = value !== "0";
    else if (word === "plain") group = { ...group, hidden: false, deleted: false };
    else if (word === "shptxt") group = { ...group, hidden: false, inHidden: isRemoved(group), shown: true };
    else if (NOT_SHOWN.has(word ?? token)) group.shown = false;
  }
  return { rtf: kept.join(""), found };
}

function isRemoved({ hidden, deleted, inHidden }: Group): boolean {
  return hidden || deleted || inHidden;
}

/** Characters, including escaped ones; control words and groups form the structure. */
function isText(token: string, word: string | undefined): boolean {
  return word === undefined ? token !== "{" && token !== "}" && token !== "\\*" : CHARACTERS.has(word);
}

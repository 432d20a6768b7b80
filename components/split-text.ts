interface TextPart {
  /** Offset of the part in the whole text. */
  at: number;
  text: string;
  matched: boolean;
}

/** Splits a text into the matches of a pattern and the parts between them, in order. */
export function splitText(text: string, pattern: RegExp): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) parts.push({ at, text: text.slice(at, match.index), matched: false });
    parts.push({ at: match.index, text: match[0], matched: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ at, text: text.slice(at), matched: false });
  return parts;
}

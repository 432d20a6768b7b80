export interface TextPart {
  /** Where it begins in the whole text. */
  at: number;
  text: string;
  matched: boolean;
}

/** A text cut into what a pattern matches and what lies between, in order; nothing is lost. */
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

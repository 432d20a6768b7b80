import { type Line, lineEnd, lineStart, lineText } from "./lines.ts";

/** Distance between lines, over the usual one, that parts paragraphs. */
const PARAGRAPH_PITCH = 1.25;
/** A line that is wrapped reaches this share of the width. */
const WRAPPED_SHARE = 0.6;
const ITEM = /^(?:[•●○◦▪■‣·–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d+(?:\.\d+)+\.?)\s/;

/** What the whole document says about its print, which single lines are compared with. */
export interface Print {
  size: number;
  /** True when most of the text is bold, so that bold type marks nothing. */
  bold: boolean;
  /** The usual distance of two lines, in font sizes. */
  pitch: number;
}

export function measurePrint(lines: Line[]): Print {
  const size = Number(mostCommon(lines, (line) => String(Math.round(line.size * 2) / 2)));
  const bold = mostCommon(lines, (line) => String(line.bold)) === "true";
  const pitches = lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    const pitch = previous?.page === line.page ? (line.y - previous.y) / line.size : 0;
    return pitch > 0.8 && pitch < 2.5 ? [pitch] : [];
  });
  return { size, bold, pitch: pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 1.2 };
}

function mostCommon(lines: Line[], key: (line: Line) => string): string {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(key(line), (counts.get(key(line)) ?? 0) + lineText(line).length);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ["", 0])[0];
}

/** True when a line begins something new rather than going on with the paragraph so far. */
export function startsParagraph(paragraph: Line[], line: Line, right: number, print: Print): boolean {
  const previous = paragraph.at(-1);
  if (previous === undefined || previous.page !== line.page) return true;
  if (Math.abs(previous.size - line.size) > 0.1 * print.size || previous.headingLevel !== line.headingLevel)
    return true;
  const pitch = (line.y - previous.y) / line.size;
  if (pitch < 0 || pitch > print.pitch * PARAGRAPH_PITCH) return true;
  if (isItem(line)) return true;
  if (!print.bold && !line.bold && paragraph.every(({ bold }) => bold)) return true;
  const indent = (lineStart(line) - lineStart(previous)) / line.size;
  if (paragraph.length > 1 && indent > 0.8 && indent < 5) return true;
  return /[.!?:]$/.test(lineText(previous)) && lineEnd(previous) < right - 0.2 * (right - lineStart(previous));
}

export function isItem(line: Line): boolean {
  return ITEM.test(lineText(line));
}

/**
 * The text of wrapped lines. A line that ends far from the margin was ended on purpose and stays a line.
 * @param right where the longest line of the page ends
 */
export function joinLines(lines: Line[], right: number, words: Set<string>): string {
  return lines.reduce((text, line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined) return lineText(line);
    const left = lineStart(previous);
    const wrapped = lineEnd(previous) > left + WRAPPED_SHARE * (right - left);
    return wrapped ? joinText(text, lineText(line), words) : `${text}\n${lineText(line)}`;
  }, "");
}

/** Joins two lines of prose. A hyphen between them goes, unless the document has the word with it elsewhere. */
export function joinText(text: string, next: string, words: Set<string>): string {
  const head = /(\p{L}+)[-\u00AD\u2010]$/u.exec(text)?.[1];
  const tail = /^\p{Ll}+/u.exec(next)?.[0];
  if (head === undefined || tail === undefined) return `${text} ${next}`;
  const hyphenated = words.has(`${head}-${tail}`.toLowerCase()) && !words.has(`${head}${tail}`.toLowerCase());
  return hyphenated ? `${text}${next}` : `${text.slice(0, -1)}${next}`;
}

/** Every word of the document that does not touch a line's end, in lower case. */
export function wordsWithin(lines: Line[]): Set<string> {
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of lineText(line).matchAll(/\p{L}+(?:-\p{L}+)*(?=.)/gu)) words.add(word.toLowerCase());
  }
  return words;
}

export type Range = { start: number; end: number };

/** A fence opens at the start of a line or, within a list, indented. */
const FENCE = /^( {0,12})(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_ELSEWHERE = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/;
const HTML_LINE = /^[\s>*+\-\d.)]*<[a-z/!?]/i;

/**
 * Ranges of a Markdown text that are certainly code, fenced or between backticks, in order. Where viewers may differ,
 * the range counts as text. Takes linear time, unlike Markdown parsers. Lines end with a line feed.
 */
export function codeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let fence: Fence | null = null;
  // true until the next blank line: a span over several lines, or HTML, may turn apparent code into text
  let isAmbiguous = false;
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    const opened = fenceOf(line, start);
    if (fence !== null) {
      const ended = closes(line, fence);
      if (ended === "otherwise") return ranges;
      if (ended === "here") {
        ranges.push({ start: fence.start, end });
        fence = null;
      }
    } else if (line.trim() === "") isAmbiguous = false;
    else if (HTML_LINE.test(line)) isAmbiguous = true;
    else if (!isAmbiguous && opened !== null) fence = opened;
    else if (FENCE_ELSEWHERE.test(line)) return ranges;
    else if (!isAmbiguous) isAmbiguous = !addSpans(line, start, ranges);
    start = end + 1;
  }
  if (fence?.indent === 0) ranges.push({ start: fence.start, end: text.length });
  return ranges;
}

type Fence = { start: number; indent: number; mark: string };

function fenceOf(line: string, start: number): Fence | null {
  const [, indent = "", mark = ""] = FENCE.exec(line) ?? [];
  return mark === "" ? null : { start, indent: indent.length, mark };
}

/** Whether a line ends a fenced block, or may end it in a way that only a parser can tell ("otherwise"). */
function closes(line: string, { indent, mark }: Fence): "here" | "otherwise" | null {
  const [, space = "", closing = ""] = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  if (closing.startsWith(mark) && (space.length === indent || (indent === 0 && /^ {0,3}$/.test(space)))) return "here";
  if (indent === 0 || line.trim() === "") return null;
  return closing !== "" || !line.startsWith(" ".repeat(indent)) ? "otherwise" : null;
}

/** @returns false when a span does not end on the line, or is split by a table cell */
function addSpans(line: string, offset: number, ranges: Range[]): boolean {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: mark, index }) => ({
    mark,
    start: index,
    end: index + mark.length,
  }));
  for (let i = 0; i < runs.length; i++) {
    const opening = runs[i];
    do i++;
    while (i < runs.length && runs[i]?.mark !== opening?.mark);
    const closing = runs[i];
    if (opening === undefined || closing === undefined || line[opening.start - 1] === "\\") return false;
    if (line.slice(opening.end, closing.start).includes("|")) return false;
    ranges.push({ start: offset + opening.start, end: offset + closing.end });
  }
  return true;
}

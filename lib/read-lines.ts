/** A line with its number, from 1: its text, or the reason why it cannot be read. */
export type NumberedLine = { row: number; text: string; error?: undefined } | { row: number; error: string };

/** Enough for a document of 10 MB with JSON escapes. */
const LINE_BYTES_MAX = 32 * 1024 * 1024;
const NEW_LINE = 10;

/** Splits a stream of UTF-8 into lines. Memory is bounded: a line that is too long is skipped and reported. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  bytesMax = LINE_BYTES_MAX,
): AsyncGenerator<NumberedLine> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let row = 1;
  for await (const chunk of stream) {
    let rest = chunk;
    for (let end = rest.indexOf(NEW_LINE); end !== -1; end = rest.indexOf(NEW_LINE)) {
      yield decodeLine(row++, [...parts, rest.subarray(0, end)], length + end, bytesMax);
      parts = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    length += rest.length;
    if (length > bytesMax) parts = [];
    else parts.push(rest);
  }
  if (length > 0) yield decodeLine(row, parts, length, bytesMax);
}

function decodeLine(row: number, parts: Uint8Array[], length: number, bytesMax: number): NumberedLine {
  if (length > bytesMax) return { row, error: `it is longer than ${Math.floor(bytesMax / 1024 / 1024)} MB` };
  try {
    return { row, text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)) };
  } catch {
    return { row, error: "it is not valid UTF-8" };
  }
}

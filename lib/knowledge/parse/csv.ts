import { CsvError, parse } from "csv-parse/sync";
import type { Sheet, SheetRow } from "./sheet.ts";

/** Lines to read at a time: few after a bad row, because each error reads the window again, then more and more. */
const WINDOW_LINES = { least: 8, most: 512 };
const RECORD_CHARACTERS_MAX = 1_000_000;
/** The delimiter is found in the first records. A record may span many lines. */
const SAMPLE = { lines: 200, records: 10 };
/** The first wins a tie: text contains commas and semicolons, and seldom tabs. */
const DELIMITERS = ["\t", ",", ";"];
/** A decimal comma, or one of a sentence. */
const TEXT_COMMA = /(?<=\d),(?=\d)|,(?= )/g;
const TEXT_SEMICOLON = /;(?= )/g;

/**
 * Reads comma, semicolon or tab separated text. Rows are numbered as in a spreadsheet, with 1 for the header. A row that
 * cannot be read has an `error` and its raw line, and reading continues with the next line.
 * @param rowsWanted reading may stop after this many rows
 */
export function readCsv(text: string, rowsWanted = Infinity): Sheet {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const hint = /^sep=(.)$/i.exec(lines[0] ?? "")?.[1];
  const delimiter = hint ?? detectDelimiter(lines);
  const rows: SheetRow[] = [];
  let line = hint === undefined ? 0 : 1;
  let row = line;
  let window = WINDOW_LINES.most;
  while (line < lines.length && rows.length < rowsWanted) {
    const end = Math.min(line + window, lines.length);
    const { records, taken, error } = readUntilError(lines.slice(line, end), delimiter);
    for (const cells of records) {
      row++;
      // blank rows, which spreadsheets write at the end, do not count
      if (cells.some((cell) => cell.trim() !== "")) rows.push({ row, cells });
    }
    line += taken;
    // a quote that is open at the end of the window may be closed after it
    const open = error?.code === "CSV_QUOTE_NOT_CLOSED" && end < lines.length;
    if (open && taken === 0) window *= 4;
    else window = error === null || open ? Math.min(window * 4, WINDOW_LINES.most) : WINDOW_LINES.least;
    if (error === null || open) continue;
    rows.push(readBadLine(lines[line] ?? "", ++row, delimiter, error));
    line++;
  }
  return { name: "", rows };
}

interface Batch {
  records: string[][];
  /** Number of lines that the records span. */
  taken: number;
  error: CsvError | null;
}

function readUntilError(lines: string[], delimiter: string): Batch {
  const records: string[][] = [];
  let taken = 0;
  try {
    parse(`${lines.join("\n")}\n`, {
      delimiter,
      relax_column_count: true,
      record_delimiter: "\n",
      max_record_size: RECORD_CHARACTERS_MAX,
      on_record: (record: string[], context) => {
        records.push(record);
        taken = context.lines;
        return null;
      },
    });
    return { records, taken: lines.length, error: null };
  } catch (error) {
    if (error instanceof CsvError) return { records, taken, error };
    throw error;
  }
}

/** Accepts a quote inside an unquoted field, such as 5" for inches. An unclosed quote is an error. */
function readBadLine(line: string, row: number, delimiter: string, error: CsvError): SheetRow {
  if (error.code === "INVALID_OPENING_QUOTE") {
    try {
      const [cells] = parse(line, { delimiter, relax_quotes: true, relax_column_count: true });
      if (cells !== undefined) return { row, cells };
    } catch {
      // reported below with the first error
    }
  }
  return { row, cells: [line], error: reason(error) };
}

function reason({ code, message }: CsvError): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quote is never closed.";
  if (code === "CSV_INVALID_CLOSING_QUOTE") return "Text follows a closing quote. Write a quote inside a value twice.";
  if (code === "CSV_MAX_RECORD_SIZE") return "The row is too long, or a quote is never closed.";
  return message;
}

/** The only delimiter in the header; otherwise the one that gives most records the same number of fields, above one. */
function detectDelimiter(lines: string[]): string {
  const start = lines.findIndex((line) => line.trim() !== "");
  const sample = start === -1 ? "" : lines.slice(start, start + SAMPLE.lines).join("\n");
  // a quote inside a field shows that a wrong delimiter cuts quoted fields, unless it stands for inches
  return headerDelimiter(sample) ?? bestDelimiter(sample, false) ?? bestDelimiter(sample, true) ?? ",";
}

/**
 * Null if the header has none or more, not counting those that look like a part of the text. Null too if no other record
 * has as many fields, or another delimiter cuts more of them alike: then the first line is a title.
 */
function headerDelimiter(sample: string): string | null {
  const plain = sample.replace(TEXT_COMMA, " ").replace(TEXT_SEMICOLON, " ");
  const rated = DELIMITERS.map((delimiter) => {
    const [fields = 0, ...others] = fieldCounts(plain, delimiter, false);
    return { delimiter, fields, others, alike: mostAlike(others) };
  });
  const [only, ...more] = rated.filter(({ fields }) => fields > 1);
  if (!only?.others.includes(only.fields) || more.length > 0) return null;
  return rated.every((other) => other === only || other.alike < only.alike) ? only.delimiter : null;
}

function bestDelimiter(sample: string, relaxQuotes: boolean): string | null {
  const withoutTextCommas = sample.replace(TEXT_COMMA, " ");
  const rated = DELIMITERS.map((delimiter) => {
    const counts = fieldCounts(sample, delimiter, relaxQuotes);
    const sure = mostAlike(fieldCounts(withoutTextCommas, delimiter, relaxQuotes));
    return { delimiter, alike: mostAlike(counts), sure, fields: counts[0] ?? 0 };
  });
  const [best] = rated.sort((a, b) => b.alike - a.alike || b.sure - a.sure || b.fields - a.fields);
  return best === undefined || best.alike === 0 ? null : best.delimiter;
}

/** How many of the numbers of fields are the same, above one. */
function mostAlike(counts: number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) if (count > 1) times.set(count, (times.get(count) ?? 0) + 1);
  return Math.max(0, ...times.values());
}

/** The number of fields of each of the first records, up to one that cannot be read. */
function fieldCounts(sample: string, delimiter: string, relaxQuotes: boolean): number[] {
  const counts: number[] = [];
  try {
    parse(sample, {
      delimiter,
      relax_column_count: true,
      relax_quotes: relaxQuotes,
      skip_empty_lines: true,
      record_delimiter: "\n",
      max_record_size: RECORD_CHARACTERS_MAX,
      to: SAMPLE.records,
      on_record: (record: string[]) => {
        counts.push(record.length);
        return null;
      },
    });
  } catch (error) {
    // the records before the error count
    if (!(error instanceof CsvError)) throw error;
  }
  return counts;
}

import {
  extensionOf,
  type FileContent,
  type FileFormat,
  formatByContent,
  formatByName,
  hasEntry,
  isZip,
  SUPPORTED,
} from "./formats.ts";

interface RefusedFormat {
  /** Begins the sentence "… are not supported." */
  name: string;
  /** A sentence that says what to do. */
  instead: string;
  extensions: readonly string[];
  recognise?: (content: FileContent) => boolean;
}

const REFUSED_FORMATS: readonly RefusedFormat[] = [
  { name: "Old Word files", instead: saveAs(".docx"), extensions: [".doc"] },
  { name: "Old Excel files", instead: saveAs(".xlsx"), extensions: [".xls"] },
  { name: "Old PowerPoint files", instead: saveAs(".pptx"), extensions: [".ppt"] },
  {
    name: "Old Office files",
    instead: saveAs(".docx, .xlsx or .pptx"),
    extensions: [],
    recognise: ({ head }) => isOldOffice(head),
  },
  {
    name: "Binary Excel files",
    instead: saveAs(".xlsx"),
    extensions: [".xlsb"],
    recognise: ({ entries }) => hasEntry(entries, "xl/workbook.bin"),
  },
  {
    name: "OpenDocument spreadsheets",
    instead: saveAs(".xlsx"),
    extensions: [".ods"],
    recognise: ({ head, entries }) => hasEntry(entries, "content.xml") && head.includes("opendocument.spreadsheet"),
  },
  {
    name: "OpenDocument presentations",
    instead: saveAs(".pptx"),
    extensions: [".odp"],
    recognise: ({ head, entries }) => hasEntry(entries, "content.xml") && head.includes("opendocument.presentation"),
  },
  {
    name: "OpenDocument drawings",
    instead: saveAs("PDF"),
    extensions: [".odg"],
    recognise: ({ entries }) => hasEntry(entries, "content.xml"),
  },
  { name: "Pages documents", instead: saveAs(".docx"), extensions: [".pages"] },
  { name: "Numbers spreadsheets", instead: saveAs(".xlsx"), extensions: [".numbers"] },
  { name: "Keynote presentations", instead: saveAs(".pptx"), extensions: [".key"] },
  {
    name: "JSON files",
    instead: "Convert the file to JSONL, Markdown or CSV and add the new file.",
    extensions: [".json"],
  },
  { name: "XML files", instead: "Convert the file to HTML or Markdown and add the new file.", extensions: [".xml"] },
  { name: "Drawings", instead: "Describe the drawing in a text file and add that file.", extensions: [".svg"] },
  // last, because the formats above are archives too
  {
    name: "Archives",
    instead: "Unpack the archive and add its files.",
    extensions: [".zip"],
    recognise: ({ head }) => isZip(head),
  },
];

/** The message for an extension that is refused; null for any other. */
export function refusalByExtension(extension: string): string | null {
  const refused = REFUSED_FORMATS.find(({ extensions }) => extensions.includes(extension));
  return refused ? notSupported(refused, extension) : null;
}

/** The message for content that is refused; null for any other. */
export function refusalByContent(content: FileContent): string | null {
  const refused = REFUSED_FORMATS.find(({ recognise }) => recognise?.(content));
  return refused ? notSupported(refused, refused.extensions[0]) : null;
}

/**
 * The message for a file that would be refused, before all of it is read; null if it may be readable.
 * @param head its first characters, as Latin-1
 */
export function refusalByName(fileName: string, head: string): string | null {
  const extension = extensionOf(fileName);
  const refusal = refusalByExtension(extension);
  if (refusal !== null) return refusal;
  const content = formatByContent({ head, text: head });
  const named = formatByName(extension);
  if (named) return content && !mayHold(named, content) ? mismatch(extension, content) : null;
  if (extension === "") return null;
  // plain text with an unknown extension may be anything, for example source code
  return isZip(head) || content ? null : unknownType(extension);
}

/** The container of Word, Excel and PowerPoint files before 2007, and of encrypted ones since. */
export function isOldOffice(head: string): boolean {
  return head.startsWith("\u00D0\u00CF\u0011\u00E0");
}

/** Whether a file with an extension of the one format may have content of the other. */
export function mayHold(named: FileFormat, content: FileFormat): boolean {
  return named.id === content.id || (named.looksLike?.includes(content.id) ?? false);
}

export function mismatch(extension: string, { noun, extensions }: FileFormat): string {
  return `The file is named ${extension} but its content is ${noun}. If that is right, rename it to ${extensions[0]} and add it again.`;
}

export function unknownType(extension: string): string {
  return `Files of type ${extension} are not supported. ${SUPPORTED}`;
}

function notSupported({ name, instead }: RefusedFormat, extension?: string): string {
  return `${name}${extension ? ` (${extension})` : ""} are not supported. ${instead}`;
}

function saveAs(format: string): string {
  return `Save the file as ${format} and add the new file.`;
}

/**
 * The table of the formats that Ragstone reads. A new format is a row here and its parser in parse.ts. The browser uses
 * the table too, so this file imports nothing.
 */

/** The parts of a file that its format is recognised by. */
export interface FileContent {
  /** The first 1,024 bytes, as Latin-1. */
  head: string;
  /** The names in a zip archive, or the known ones in an old Office file. */
  entries?: readonly string[];
  /** The decoded text of a file that is not binary. */
  text?: string;
}

export interface FileFormat<Id extends string = string> {
  id: Id;
  /** Its name in the list of supported formats. */
  label: string;
  /** Completes the sentence "its content is …". */
  noun: string;
  /** With their dot, in lower case. The first is the one to recommend. */
  extensions: readonly [string, ...string[]];
  /** Recognises the format by content. Absent for a format that looks like plain text. */
  recognise?: (content: FileContent) => boolean;
  /** Whether its rows can be imported as questions and answers. */
  isSheet?: true;
  /** Whether it is an email, which may have attachments. */
  isEmail?: true;
  /** Other formats that content with these extensions may look like. */
  looksLike?: readonly string[];
}

/** Any text file that is not recognised as another format. */
const TEXT = {
  id: "text",
  label: "plain text",
  noun: "plain text",
  extensions: [".txt", ".text"],
  looksLike: ["eml"],
} as const;

/** A name in every Outlook message. */
export const OUTLOOK_ENTRY = "__properties_version1.0";

const EMAIL_HEADERS = new Set([
  ...["from", "to", "subject", "date", "message-id", "mime-version", "received", "return-path", "delivered-to"],
  ...["reply-to", "content-type", "dkim-signature", "arc-seal", "x-received", "received-spf", "list-id", "cc"],
]);

const TABLE = [
  {
    id: "pdf",
    label: "PDF",
    noun: "a PDF",
    extensions: [".pdf"],
    recognise: ({ head }) => head.includes("%PDF-"),
  },
  {
    id: "docx",
    label: "Word (DOCX)",
    noun: "a Word document",
    extensions: [".docx"],
    recognise: ({ entries }) => hasEntry(entries, "word/document"),
  },
  {
    id: "pptx",
    label: "PowerPoint (PPTX)",
    noun: "a PowerPoint presentation",
    extensions: [".pptx"],
    recognise: ({ entries }) => hasEntry(entries, "ppt/presentation.xml"),
  },
  {
    id: "odt",
    label: "OpenDocument text (ODT)",
    noun: "an OpenDocument text",
    extensions: [".odt"],
    recognise: ({ head, entries }) => hasEntry(entries, "content.xml") && !/opendocument\.(?!text)/.test(head),
  },
  {
    id: "rtf",
    label: "Rich Text (RTF)",
    noun: "Rich Text",
    extensions: [".rtf"],
    recognise: ({ head }) => head.startsWith("{\\rtf"),
  },
  {
    id: "epub",
    label: "EPUB",
    noun: "an EPUB book",
    extensions: [".epub"],
    recognise: ({ entries }) => hasEntry(entries, "META-INF/container.xml"),
  },
  {
    id: "eml",
    label: "email (EML)",
    noun: "an email message",
    extensions: [".eml"],
    isEmail: true,
    recognise: ({ head }) => looksLikeEmail(head),
    looksLike: ["text", "html"],
  },
  {
    id: "msg",
    label: "Outlook message (MSG)",
    noun: "an Outlook message",
    extensions: [".msg"],
    isEmail: true,
    recognise: ({ entries }) => hasEntry(entries, OUTLOOK_ENTRY),
  },
  {
    id: "xlsx",
    label: "Excel (XLSX)",
    noun: "an Excel workbook",
    extensions: [".xlsx"],
    isSheet: true,
    recognise: ({ entries }) => hasEntry(entries, "xl/") && !hasEntry(entries, "xl/workbook.bin"),
  },
  { id: "csv", label: "CSV", noun: "CSV", extensions: [".csv", ".tsv"], isSheet: true, looksLike: ["text"] },
  {
    id: "html",
    label: "HTML",
    noun: "HTML",
    extensions: [".html", ".htm", ".xhtml"],
    recognise: ({ text }) => text !== undefined && looksLikeHtml(text),
    looksLike: ["text"],
  },
  {
    id: "markdown",
    label: "Markdown",
    noun: "Markdown",
    extensions: [".md", ".markdown"],
    looksLike: ["text", "html", "eml"],
  },
  {
    id: "png",
    label: "PNG",
    noun: "a PNG image",
    extensions: [".png"],
    recognise: ({ head }) => head.startsWith("\u0089PNG\r\n"),
  },
  {
    id: "jpeg",
    label: "JPEG",
    noun: "a JPEG image",
    extensions: [".jpg", ".jpeg"],
    recognise: ({ head }) => head.startsWith("\u00FF\u00D8\u00FF"),
  },
  TEXT,
] as const satisfies readonly FileFormat[];

export type Format = (typeof TABLE)[number]["id"];

export const PLAIN_TEXT: FileFormat<Format> = TEXT;

/** The supported formats. */
export const FORMATS: readonly FileFormat<Format>[] = TABLE;

export const SHEET_EXTENSIONS = FORMATS.flatMap(({ isSheet, extensions }) => (isSheet ? extensions : []));

const LABELS = FORMATS.map(({ label }) => label);

/** "PDF, Word (DOCX), … or plain text". */
export const ANY_FORMAT = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(LABELS);

/** The second sentence of a message about a file of an unknown type. */
export const SUPPORTED = `Ragstone reads ${new Intl.ListFormat("en-GB").format(LABELS)}.`;

/** In lower case with its dot; empty if there is none. */
export function extensionOf(fileName: string): string {
  return /[^/](\.[^./]*)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
}

/** The format that an extension names; null for an unknown one. */
export function formatByName(extension: string): FileFormat<Format> | null {
  return FORMATS.find(({ extensions }) => extensions.includes(extension)) ?? null;
}

/** Whether a file may be an email, by its name: only its content tells when the extension is unknown. */
export function mayBeEmail(fileName: string): boolean {
  const named = formatByName(extensionOf(fileName));
  return named === null || named.isEmail === true;
}

/** The format that is recognised in the content; null if there is none. */
export function formatByContent(content: FileContent): FileFormat<Format> | null {
  return FORMATS.find(({ recognise }) => recognise?.(content)) ?? null;
}

/** Whether a text begins with at least two lines of an email's header. A header line may continue on indented lines. */
function looksLikeEmail(head: string): boolean {
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/, 8);
  const names = lines.map((line) => /^([A-Za-z][\w-]*): ?\S/.exec(line)?.[1]?.toLowerCase() ?? "");
  const end = names.indexOf("");
  return names.slice(0, end === -1 ? undefined : end).filter((name) => EMAIL_HEADERS.has(name)).length >= 2;
}

export function isZip(head: string): boolean {
  return head.startsWith("PK\u0003\u0004");
}

export function hasEntry(entries: readonly string[] = [], prefix: string): boolean {
  return entries.some((name) => name.startsWith(prefix));
}

/** A comment ends at its first "-->": if it could end later too, many comments would take exponential time. */
const HTML_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i;

export function looksLikeHtml(text: string): boolean {
  return HTML_START.test(text.slice(0, 2048).replace(/^\uFEFF/, ""));
}

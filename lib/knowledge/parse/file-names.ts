/** What a file's name tells of how it is read; for the browser too. Pure. */
export type Format = "pdf" | "docx" | "xlsx" | "csv" | "html" | "markdown" | "text";

/** What an extension promises. */
export const FORMATS: Record<string, Format> = {
  ".pdf": "pdf",
  ".docx": "docx",
  ".xlsx": "xlsx",
  ".csv": "csv",
  ".tsv": "csv",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "text",
  ".text": "text",
};

/** What people call the formats that are refused, and what they can do instead. */
export const REFUSED: Record<string, { name: string; instead: string }> = {
  ".doc": { name: "Old Word files", instead: "save it as .docx" },
  ".xls": { name: "Old Excel files", instead: "save it as .xlsx" },
  ".xlsb": { name: "Binary Excel files", instead: "save it as .xlsx" },
  ".ppt": { name: "PowerPoint files", instead: "save it as PDF" },
  ".pptx": { name: "PowerPoint files", instead: "save it as PDF" },
  ".odt": { name: "OpenDocument texts", instead: "save it as .docx" },
  ".ods": { name: "OpenDocument spreadsheets", instead: "save it as .xlsx" },
  ".odp": { name: "OpenDocument presentations", instead: "save it as PDF" },
  ".rtf": { name: "Rich Text files", instead: "save it as .docx" },
  ".epub": { name: "EPUB books", instead: "convert it to PDF or HTML" },
  ".eml": { name: "E-mail messages", instead: "save its text as .txt" },
  ".msg": { name: "Outlook messages", instead: "save its text as .txt" },
  ".pages": { name: "Pages documents", instead: "export it as .docx" },
  ".numbers": { name: "Numbers spreadsheets", instead: "export it as .xlsx" },
  ".key": { name: "Keynote presentations", instead: "export it as PDF" },
  ".json": { name: "JSON files", instead: "write it as .jsonl, Markdown or CSV" },
  ".xml": { name: "XML files", instead: "convert it to HTML or Markdown" },
  ".svg": { name: "Images", instead: "describe it as text" },
  ".zip": { name: "Archives", instead: "unpack it" },
};

export const SUPPORTED = "supported are PDF, DOCX, XLSX, CSV, HTML, Markdown and plain text";

/** In lower case with its dot; empty where there is none. */
export function extensionOf(fileName: string): string {
  return /[^/](\.[^./]*)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
}

/**
 * Why a file would be refused, found before all of it is read; null when it may be readable.
 * @param head its first characters, as Latin-1
 */
export function refusalByName(fileName: string, head: string): string | null {
  const extension = extensionOf(fileName);
  const refused = REFUSED[extension];
  if (refused !== undefined) return notSupported(refused.name, extension, refused.instead);
  if (extension === "" || FORMATS[extension] !== undefined) return null;
  // under an extension that nobody knows, only text has nothing that tells how to read it
  const known = head.includes("%PDF-") || head.startsWith("PK\u0003\u0004") || looksLikeHtml(head);
  return known ? null : unknownType(extension);
}

export function notSupported(name: string, extension: string, instead: string): string {
  return `${name} (${extension}) are not supported yet; ${instead} and add that.`;
}

export function unknownType(extension: string): string {
  return `Files of type ${extension} are not supported; ${SUPPORTED}.`;
}

/** A comment ends at its first "-->": if it could end later too, many of them would take for ever. */
const HTML_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i;

export function looksLikeHtml(text: string): boolean {
  return HTML_START.test(text.slice(0, 2048).replace(/^\uFEFF/, ""));
}

import { UnreadableFile } from "./document.ts";

/** Text in another encoding has few characters that are valid UTF-8 by chance. */
const DAMAGED_UTF8_SHARE = 4;
/** Windows programs call it ANSI. It has a character for every byte. */
const ANSI = "windows-1252";
/** HTML declares its encoding at its beginning. */
const DECLARATION_BYTES = 1_024;

/**
 * Decodes text by its byte order mark, otherwise as UTF-8, even with a few damaged characters, otherwise as UTF-16 when
 * every other byte is mostly zero, otherwise as windows-1252.
 * @throws {UnreadableFile} when the bytes are not text
 */
export function decodeText(bytes: Uint8Array): string {
  return readable(decode(bytes, ANSI));
}

/**
 * Decodes HTML as other text, but by the encoding that it declares instead of as windows-1252.
 * @throws {UnreadableFile} when the bytes are not text
 */
export function decodeHtml(bytes: Uint8Array): string {
  return readable(decode(bytes, declaredEncoding(bytes) ?? ANSI));
}

function readable(text: string): string {
  if (looksBinary(text))
    throw new UnreadableFile("The file does not contain readable text. Save it as text in UTF-8 and add it again.");
  return text;
}

/** @param otherwise the encoding of bytes that are in no form of Unicode */
function decode(bytes: Uint8Array, otherwise: string): string {
  const mark = byteOrderMark(bytes);
  if (mark !== null) return new TextDecoder(mark).decode(bytes);
  const wide = utf16WithoutMark(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const damaged = new TextDecoder("utf-8").decode(bytes);
    if (isMostlyUtf8(damaged)) return damaged;
    return new TextDecoder(otherwise).decode(bytes);
  }
}

/** The encoding in a `<meta>` element at the beginning of HTML; null for Unicode, an unknown one and none. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1");
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith("utf-") ? null : encoding;
  } catch {
    // no such encoding
    return null;
  }
}

function isMostlyUtf8(text: string): boolean {
  let valid = 0;
  let invalid = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) invalid++;
    else if (code > 0x7f) valid++;
  }
  return valid > invalid * DAMAGED_UTF8_SHARE;
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return null;
}

function utf16WithoutMark(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const many = sample.length * 0.3;
  if (odd > many && even < many / 10) return "utf-16le";
  if (even > many && odd < many / 10) return "utf-16be";
  return null;
}

/** Binary data has many control characters besides white space, and text has almost none. */
function looksBinary(text: string): boolean {
  const sample = text.slice(0, 65_536);
  let controls = 0;
  for (let index = 0; index < sample.length; index++) {
    const code = sample.charCodeAt(index);
    if (code < 9 || (code > 13 && code < 27)) controls++;
  }
  return controls > sample.length * 0.02;
}

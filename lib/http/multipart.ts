import { type AppError, validationError } from "../errors.ts";

/** The parts of a form besides its file. */
export interface FormParts {
  /** The name of the file on the client; null until its part begins. */
  fileName: string | null;
  /** The texts of the other parts. */
  texts: Map<string, string>;
}

const HEADERS_BYTES_MAX = 16 * 1024;
const TEXTS_MAX = 100;
const TEXT_BYTES_MAX = 64 * 1024;
const TEXTS_BYTES_MAX = 256 * 1024;
const LINE_END = "\r\n";
/** A parameter of a header: `name="value"`, or `name=value` as .NET sends it. */
const PARAMETER = /\s*;\s*([^\s=;"]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*)))?\s*/gy;

/** The boundary of a `multipart/form-data` body (RFC 7578); null when the body is something else. */
export function formBoundary(headers: Headers): string | null {
  const type = headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return null;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary || boundary.length > 200) throw malformed("has no boundary in its Content-Type");
  return boundary;
}

/**
 * Streams the bytes of the part `file` of a form, without holding the file in memory. Texts before and after it are
 * collected in `form`.
 * @throws {AppError} ValidationError when the body is not a form with one file
 */
export async function* fileOfForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  form: FormParts,
): AsyncGenerator<Uint8Array> {
  let text: { name: string; bytes: Buffer[]; length: number } | null = null;
  const all = { texts: 0, bytes: 0 };
  for await (const event of formEvents(body, boundary)) {
    if ("name" in event) {
      if (text) form.texts.set(text.name, Buffer.concat(text.bytes).toString());
      text = event.name === "file" ? null : { name: event.name, bytes: [], length: 0 };
      if (text && ++all.texts > TEXTS_MAX) throw malformed(`has more than ${TEXTS_MAX} parts besides its file`);
      if (text) continue;
      if (form.fileName !== null) throw malformed("has several files");
      form.fileName = event.fileName ?? "";
    } else if (text) {
      text.bytes.push(event.bytes);
      text.length += event.bytes.length;
      all.bytes += event.bytes.length;
      if (text.length > TEXT_BYTES_MAX) throw malformed(`has a longer part than 64 kB: ${text.name}`);
      if (all.bytes > TEXTS_BYTES_MAX) throw malformed("has more than 256 kB besides its file");
    } else yield event.bytes;
  }
  if (text) form.texts.set(text.name, Buffer.concat(text.bytes).toString());
  if (form.fileName === null) throw malformed("has no part named file");
}

type FormEvent = { name: string; fileName: string | null } | { bytes: Buffer };

/** The parts of a form one after the other: its name, then its bytes. */
async function* formEvents(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormEvent> {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`);
  // so that the first delimiter is like the others
  let rest = Buffer.from(LINE_END);
  let state: "preamble" | "head" | "bytes" | "end" = "preamble";
  for await (const more of body) {
    if (state === "end") continue;
    rest = Buffer.concat([rest, more]);
    for (let moved = true; moved; ) {
      moved = false;
      if (state === "head") {
        const end = rest.indexOf(LINE_END + LINE_END);
        if (rest.subarray(0, 2).toString() === "--") state = "end";
        else if (end !== -1) {
          yield headOf(rest.subarray(0, end).toString());
          rest = rest.subarray(end + 2 * LINE_END.length);
          state = "bytes";
          moved = true;
        } else if (rest.length > HEADERS_BYTES_MAX) throw malformed("has a part without a header");
      } else if (state !== "end") {
        const at = rest.indexOf(delimiter);
        const safe = at === -1 ? Math.max(0, rest.length - delimiter.length) : at;
        if (state === "bytes" && safe > 0) yield { bytes: rest.subarray(0, safe) };
        rest = rest.subarray(at === -1 ? safe : at + delimiter.length);
        if (at !== -1) state = "head";
        moved = at !== -1;
      }
    }
  }
  if (state !== "end") throw malformed("is cut off");
}

function headOf(head: string): FormEvent {
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1] ?? "";
  const parameters = new Map(
    [...disposition.matchAll(PARAMETER)].map(([, name = "", quoted, plain = ""]) => [
      name.toLowerCase(),
      quoted ?? plain.trim(),
    ]),
  );
  const name = parameters.get("name");
  if (name === undefined) throw malformed("has a part without a name");
  const fileName = parameters.get("filename");
  const extended = decodeExtended(parameters.get("filename*"));
  return { name, fileName: extended ?? (fileName === undefined ? null : decodeName(fileName)) };
}

/** A value that says how it is encoded (RFC 8187): .NET sends one beside a `filename` in ASCII. */
function decodeExtended(value = ""): string | null {
  const encoded = /^utf-8'[^']*'(.+)$/i.exec(value)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded).replaceAll(/[\r\n]/g, " ");
  } catch {
    return null;
  }
}

/** Browsers percent-encode quotes and line ends, other clients escape them. */
function decodeName(name: string): string {
  return name
    .replace(/\\(.)/g, "$1")
    .replaceAll("%22", '"')
    .replaceAll(/%0[AD]/g, " ");
}

function malformed(problem: string): AppError {
  return validationError([{ path: "", message: `The form ${problem}` }]);
}

import { AppError } from "../errors.ts";
import { withTimeout } from "../timeout.ts";
import type { ApiRequest } from "./api-request.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
export const MAX_BODY_BYTES = MIB;
/** How long a client may take to send its body, for each MiB that the body may have, at least one. */
const TIMEOUT_MS_PER_MIB = 10_000;

const NDJSON_TYPE = /^application\/x-ndjson\s*(?:;|$)/i;
const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/i;
const CHARSET = /^charset\s*=/i;
const UTF8 = /^charset\s*=\s*"?utf-?8"?$/i;

interface BodyOptions {
  bytesMax?: number | undefined;
  /** The field of the body that the lines of `application/x-ndjson` stand for; missing when only JSON is accepted. */
  linesField?: string | undefined;
}

/**
 * Reads the JSON object in a request's body.
 * @throws {AppError} PayloadTooLarge, RequestTimeout, UnsupportedMediaType, ValidationError, in this order
 */
export async function readJsonObject(
  request: Pick<ApiRequest, "headers" | "body">,
  { bytesMax = MAX_BODY_BYTES, linesField }: BodyOptions = {},
): Promise<object> {
  const bytes = await readBytes(request, bytesMax);
  if (linesField && NDJSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    return { [linesField]: decodeUtf8(bytes).split("\n").flatMap(parseLine) };
  }
  requireJsonType(request.headers);
  const body = parseJson(decodeUtf8(bytes));
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid('The body must be a JSON object, for example {"queryText": "…"}');
  }
  return body;
}

/** @throws {AppError} PayloadTooLarge, RequestTimeout, BadRequest, UnsupportedMediaType */
export async function readBytes(
  { headers, body }: Pick<ApiRequest, "headers" | "body">,
  bytesMax = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  if (Number(headers.get("content-length")) > bytesMax) throw tooLarge(bytesMax);
  const bytes = body ? await readInTime(body, bytesMax) : new Uint8Array();
  requireUncompressed(headers);
  return bytes;
}

async function readInTime(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const late = () => new AppError("RequestTimeout", "The request body timed out. Send it without pauses.");
  try {
    return await withTimeout(readAll(body, bytesMax), TIMEOUT_MS_PER_MIB * Math.max(1, bytesMax / MIB), late);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("BadRequest", "The request body was cut off. Send it again.", { cause: error });
  }
}

async function readAll(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of body) {
    size += bytes.byteLength;
    if (size > bytesMax) throw tooLarge(bytesMax);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** @throws {AppError} UnsupportedMediaType */
export function requireUncompressed(headers: Headers): void {
  const encoding = headers.get("content-encoding");
  if (encoding && encoding.toLowerCase() !== "identity") {
    throw new AppError("UnsupportedMediaType", "The body must not be compressed: send it without Content-Encoding");
  }
}

function requireJsonType(headers: Headers): void {
  const header = headers.get("content-type")?.trim();
  if (!header) return;
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim());
  const hasOtherCharset = parameters.some((parameter) => CHARSET.test(parameter) && !UTF8.test(parameter));
  if (JSON_TYPE.test(type) && !hasOtherCharset) return;
  throw new AppError("UnsupportedMediaType", "The body must be JSON in UTF-8: send Content-Type: application/json");
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON");
  }
}

/** A line as JSON; a line that is not JSON stays a text, for the schema of the lines to refuse. */
function parseLine(line: string): unknown[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [line];
  }
}

function tooLarge(bytesMax: number): AppError {
  const size = bytesMax < MIB ? `${bytesMax / KIB} KiB` : `${bytesMax / MIB} MiB`;
  return new AppError("PayloadTooLarge", `The body is larger than ${size}. Send a smaller one.`);
}

function invalid(message: string): AppError {
  return new AppError("ValidationError", message, { fields: { issues: [{ path: "", message }] } });
}

import { AppError } from "../errors.ts";
import type { ApiRequest } from "./api-request.ts";
import { requireUncompressed } from "./body.ts";

/**
 * Streams the bytes of a request's body that is a file, or a form with one.
 * @param bytesMax of the file
 * @param formBytesMax what a form may add to the file
 * @throws {AppError} PayloadTooLarge; UnsupportedMediaType for a compressed body; BadRequest when it is cut off
 */
export async function* receive(request: ApiRequest, bytesMax: number, formBytesMax = 0): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get("content-length")) > bytesMax + formBytesMax) throw tooLarge(bytesMax);
  // before reading: a compressed body is refused whatever its size
  requireUncompressed(request.headers);
  if (!request.body) return;
  let size = 0;
  try {
    for await (const bytes of request.body) {
      size += bytes.byteLength;
      if (size > bytesMax + formBytesMax) throw tooLarge(bytesMax);
      yield bytes;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("BadRequest", "The file was cut off during the upload. Send it again.", { cause: error });
  }
}

/** Passes on the bytes of a form's file, up to the limit. @throws {AppError} PayloadTooLarge */
export async function* limitFile(file: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of file) {
    size += bytes.byteLength;
    if (size > bytesMax) throw tooLarge(bytesMax);
    yield bytes;
  }
}

function tooLarge(bytesMax: number): AppError {
  const megabytes = Math.floor(bytesMax / 1024 / 1024);
  return new AppError("PayloadTooLarge", `The file is larger than ${megabytes} MB. Split it.`);
}

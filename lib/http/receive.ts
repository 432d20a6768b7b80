import { AppError } from "../errors.ts";
import type { ApiRequest } from "./api-request.ts";

/**
 * Streams the bytes of a request's body, up to the limit.
 * @param what subject of the error message: "The file"
 * @throws {AppError} PayloadTooLarge; BadRequest when the body is cut off
 */
export async function* receive(request: ApiRequest, bytesMax: number, what: string): AsyncGenerator<Uint8Array> {
  const megabytes = Math.floor(bytesMax / 1024 / 1024);
  const tooLarge = () => new AppError("PayloadTooLarge", `${what} is larger than ${megabytes} MB. Split it.`);
  if (Number(request.headers.get("content-length")) > bytesMax) throw tooLarge();
  if (!request.body) return;
  let size = 0;
  try {
    for await (const bytes of request.body) {
      size += bytes.byteLength;
      if (size > bytesMax) throw tooLarge();
      yield bytes;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("BadRequest", `${what} was cut off during the upload. Send it again.`, { cause: error });
  }
}

import { AppError } from "../errors.ts";

/**
 * The bytes of a request's body, as they come, and never more than the limit.
 * @param what for the message: "The file"
 * @throws {AppError} PayloadTooLarge
 */
export async function* receive(request: Request, bytesMax: number, what: string): AsyncGenerator<Uint8Array> {
  const megabytes = Math.floor(bytesMax / 1024 / 1024);
  const tooLarge = () => new AppError("PayloadTooLarge", `${what} is larger than ${megabytes} MB. Split it.`);
  if (Number(request.headers.get("content-length")) > bytesMax) throw tooLarge();
  if (!request.body) return;
  let size = 0;
  for await (const bytes of request.body) {
    size += bytes.byteLength;
    if (size > bytesMax) throw tooLarge();
    yield bytes;
  }
}

/** The whole body in memory. @throws {AppError} PayloadTooLarge */
export async function receiveAll(request: Request, bytesMax: number, what: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of receive(request, bytesMax, what)) parts.push(part);
  return Buffer.concat(parts);
}

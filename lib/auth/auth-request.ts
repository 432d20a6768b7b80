import { NextRequest } from "next/server";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { readBytes } from "../http/body.ts";
import { jsonOrNull } from "../json-or-null.ts";

/** Far more than a form of the sign-in library has. */
const BODY_BYTES_MAX = 64 * 1024;

const fields = z.record(z.string(), z.string());

/**
 * Reads the body of a request to the sign-in library, which would read a body of any size and fail on malformed JSON.
 * @returns the same request, whose body can still be read
 * @throws {AppError} PayloadTooLarge, RequestTimeout, BadRequest
 */
export async function readAuthRequest(request: Request): Promise<Request> {
  if (!request.body) return request;
  const { url, method, headers, signal } = request;
  const body = new TextDecoder().decode(await readBytes(request, BODY_BYTES_MAX));
  // the library's own check of the type
  if (headers.get("content-type")?.includes("application/json") && !fields.safeParse(jsonOrNull(body)).success) {
    throw new AppError("BadRequest", "The body must be a JSON object whose values are strings, or a form");
  }
  return new NextRequest(url, { method, headers, body, signal });
}

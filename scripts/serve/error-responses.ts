import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ERROR_STATUS, type ErrorName } from "../../lib/errors.ts";

/** Time for a client to read the error before its connection is closed. */
const LINGER_MS = 1_000;

function bodyOf(error: ErrorName, message: string): string {
  return JSON.stringify({ statusCode: ERROR_STATUS[error], error, message });
}

function headersOf(body: string, extra: Record<string, string>): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "X-Request-Id": randomUUID(),
    ...extra,
  };
}

/** Answers a request with an error. */
export function send(
  response: ServerResponse,
  error: ErrorName,
  message: string,
  extra: Record<string, string> = {},
): void {
  const body = bodyOf(error, message);
  response.writeHead(ERROR_STATUS[error], headersOf(body, extra));
  response.end(body);
}

/** Sends an error to a socket without a response object, and closes the connection. */
export function refuse(socket: Socket, error: ErrorName, message: string, extra: Record<string, string> = {}): void {
  if (!socket.writable) return void socket.destroy();
  const body = bodyOf(error, message);
  const headers = Object.entries({ ...headersOf(body, extra), Connection: "close" });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${ERROR_STATUS[error]} ${error}\r\n${head}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

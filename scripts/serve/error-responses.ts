import { randomUUID } from "node:crypto";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ERROR_STATUS, type ErrorName } from "../../lib/errors.ts";
import { log } from "../../lib/log.ts";
import { loggedPath } from "./request-path.ts";

/** Time for a client to read the error before its connection is closed. */
const LINGER_MS = 1_000;

function bodyOf(error: ErrorName, message: string): string {
  return JSON.stringify({ statusCode: ERROR_STATUS[error], error, message });
}

function headersOf(body: string, requestId: string, extra: Record<string, string>): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    ...extra,
  };
}

/** Answers a request with an error, and logs it under the request's id. */
export function send(
  response: ServerResponse,
  error: ErrorName,
  message: string,
  extra: Record<string, string> = {},
): void {
  const { method, url = "", headers } = response.req;
  const requestId = String(headers["x-request-id"]);
  // an action from another site may be an attack
  const level = error === "Forbidden" ? "warn" : "info";
  log()[level]({ msg: "request refused", requestId, method, path: loggedPath(url), error });
  const body = bodyOf(error, message);
  response.writeHead(ERROR_STATUS[error], headersOf(body, requestId, extra));
  response.end(body);
}

interface RefusalOptions {
  /** Of the request, if the server has read its headers. */
  requestId?: string;
  headers?: Record<string, string>;
}

/** Sends an error to a socket without a response object, closes the connection, and logs the error. */
export function refuse(
  socket: Socket,
  error: ErrorName,
  message: string,
  { requestId = randomUUID(), headers = {} }: RefusalOptions = {},
): void {
  if (!socket.writable) return void socket.destroy();
  // browsers and probes open connections that they do not use
  if (socket.bytesRead > 0) log().info({ msg: "connection refused", requestId, error });
  const body = bodyOf(error, message);
  const all = { Date: new Date().toUTCString(), ...headersOf(body, requestId, headers), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = ERROR_STATUS[error];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

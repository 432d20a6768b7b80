import { connect } from "node:net";
import type { RawRequest } from "./raw-requests.ts";

interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

interface Exchange {
  /** In order; empty when the server only closed the connection. */
  answers: RawAnswer[];
  ms: number;
}

/** Milliseconds after which a connection that is still open counts as hanging. */
export const HANG_MS = 5_000;
/** Milliseconds after which the client leaves in any case. */
const OPEN_MAX_MS = 60_000;
/** Milliseconds of silence after which the client leaves, unless the server still has to answer a whole request. */
const SILENCE_MAX_MS = 300;

/** Sends raw bytes and reads until the server closes the connection, for a minute at most. */
export async function exchange(url: string, { bytes, closes, isOpen }: RawRequest): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const parts: Buffer[] = [];
  const hanging = setTimeout(() => socket.destroy(), OPEN_MAX_MS);
  if (!closes) socket.setTimeout(SILENCE_MAX_MS);
  await new Promise<void>((resolve) => {
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("timeout", () => {
      if (isOpen || parts.length > 0) socket.end();
    });
    socket.once("end", () => socket.destroy());
    // a server that refuses early may reset the connection
    socket.on("error", () => socket.destroy());
    socket.once("close", () => resolve());
    socket.write(bytes);
  });
  clearTimeout(hanging);
  return { answers: parseAnswers(Buffer.concat(parts)), ms: performance.now() - started };
}

/** Splits the bytes of one connection into responses. */
function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
    if (end < 0 || !status) return answers;
    const headers = new Map(
      lines.map((each): [string, string] => {
        const colon = each.indexOf(":");
        return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
      }),
    );
    const { body, length } = bodyOf(rest.subarray(end + 4), headers);
    if (status >= 200) answers.push({ status, headers, body });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

function bodyOf(bytes: Buffer, headers: Map<string, string>): { body: string; length: number } {
  if (headers.get("transfer-encoding") !== "chunked") {
    // without a length, the body ends with the connection
    const length = Number(headers.get("content-length") ?? bytes.length);
    const own = bytes.subarray(0, length).toString("utf8");
    // a HEAD response has a Content-Length but no body
    return own.startsWith("HTTP/1.1") ? { body: "", length: 0 } : { body: own, length };
  }
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at);
    const size = line < 0 ? 0 : Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16);
    if (!size) return { body: Buffer.concat(parts).toString("utf8"), length: line < 0 ? bytes.length : line + 4 };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/**
 * Finds the message boundaries of the PostgreSQL wire protocol (version 3), which is all that is needed to let clients
 * take turns.
 */

/** Messages of a client that run together; `ends` is false while more messages of the statement follow. */
export interface Frame {
  bytes: Buffer;
  kind: "startup" | "statement" | "refuse-encryption" | "goodbye";
  ends: boolean;
}

const ENCRYPTION_REQUESTS = new Set([80877103, 80877104]);
const CANCEL_REQUEST = 80877102;
const BEGIN_BYTES_MAX = 20;
const READ_BYTES = 100;
const MAX_MESSAGE_BYTES = 1 << 30;
const KNOWN_TYPES = new Set(Buffer.from("QFPBDECSHX"));
const [QUERY, FUNCTION_CALL, SYNC, FLUSH, TERMINATE, PARSE] = [..."QFSHXP"].map((letter) => letter.charCodeAt(0));

/**
 * Starts a session as user `postgres`. The engine has a single session, and a startup message that it does not
 * understand would end its process, so it always gets this one.
 */
export const STARTUP_MESSAGE = startupMessage({ user: "postgres", database: "postgres", client_encoding: "UTF8" });

/** Ends an extended query that its client left unfinished. */
export const SYNC_MESSAGE = Buffer.from([0x53, 0, 0, 0, 4]);

/** The message of a simple query. */
export function queryMessage(sql: string): Buffer {
  return message("Q", sql);
}

/** The name that the first message of a frame gives to a statement, if it names one. */
export function statementName({ kind, bytes }: Frame): string | undefined {
  if (kind !== "statement" || bytes[0] !== PARSE) return undefined;
  return bytes.toString("latin1", 5, bytes.indexOf(0, 5)) || undefined;
}

/** Whether the frame only begins a transaction. */
export function isBegin({ kind, bytes }: Frame): boolean {
  return kind === "statement" && bytes.length <= BEGIN_BYTES_MAX && /^Q.{4}begin *\0$/s.test(bytes.toString("latin1"));
}

/** Whether the frame is a simple query whose first words show that it only reads, like the queries of a question. */
export function isRead({ kind, bytes }: Frame): boolean {
  const text = bytes.toString("latin1", 0, READ_BYTES);
  return kind === "statement" && /^Q.{4}(select |set transaction [a-z ,]*read only;)/s.test(text);
}

/** What the engine answers to a frame that only begins a transaction. */
export const BEGIN_RESPONSE = Buffer.concat([message("C", "BEGIN"), Buffer.from("Z\0\0\0\x05T")]);

/** Closes named statements, even those that do not exist, and ends the query. */
export function closeMessage(names: Iterable<string>): Buffer {
  return Buffer.concat([...Array.from(names, (name) => message("C", `S${name}`)), SYNC_MESSAGE]);
}

function message(type: string, text: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${text}\0`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

function protocolError(): RangeError {
  return new RangeError("Not the PostgreSQL protocol");
}

function startupMessage(parameters: Record<string, string>): Buffer {
  const text = Buffer.from(`${Object.entries(parameters).flat().join("\0")}\0\0`);
  const head = Buffer.from([0, 0, 0, 0, 0, 3, 0, 0]);
  head.writeInt32BE(text.length + head.length);
  return Buffer.concat([head, text]);
}

/**
 * Cuts one client's bytes into frames.
 * @throws RangeError when the bytes are not of the protocol
 */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = 8;
  #started = false;

  /** Adds the bytes that the socket delivered; returns the frames that they complete. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return [];
    const bytes = Buffer.concat(this.#chunks);
    const { frames, rest } = this.#cut(bytes);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return frames;
  }

  #cut(bytes: Buffer): { frames: Frame[]; rest: Buffer } {
    const frames: Frame[] = [];
    let begin = 0;
    let end = 0;
    for (;;) {
      const length = this.#messageLength(bytes, end);
      if (length === undefined || end + length > bytes.length) {
        this.#needed = end - begin + (length ?? this.#headLength());
        return { frames, rest: bytes.subarray(begin) };
      }
      const kind = this.#kind(bytes, end);
      if (this.#started && !KNOWN_TYPES.has(bytes[end] ?? 0)) throw protocolError();
      const type = bytes[end];
      end += length;
      const ends = type !== FLUSH;
      if (kind === "statement" && ends && type !== QUERY && type !== SYNC && type !== FUNCTION_CALL) continue;
      if (kind === "startup") this.#started = true;
      frames.push({ bytes: bytes.subarray(begin, end), kind, ends });
      begin = end;
    }
  }

  #headLength(): number {
    return this.#started ? 5 : 8;
  }

  #messageLength(bytes: Buffer, at: number): number | undefined {
    if (bytes.length < at + this.#headLength()) return undefined;
    const length = this.#started ? 1 + bytes.readInt32BE(at + 1) : bytes.readInt32BE(at);
    if (length < this.#headLength() || length > MAX_MESSAGE_BYTES) throw protocolError();
    return length;
  }

  #kind(bytes: Buffer, at: number): Frame["kind"] {
    if (this.#started) return bytes[at] === TERMINATE ? "goodbye" : "statement";
    const code = bytes.readInt32BE(at + 4);
    if (ENCRYPTION_REQUESTS.has(code)) return "refuse-encryption";
    return code === CANCEL_REQUEST ? "goodbye" : "startup";
  }
}

import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { keepListening } from "./listen.ts";
import { type Frame, FrameReader, queryMessage, STARTUP_MESSAGE, SYNC_MESSAGE } from "./protocol.ts";

/** A client that was stopped in the middle of a transaction keeps all others from the database for this long. */
const IDLE_IN_TRANSACTION_MS = 15_000;

interface Client {
  socket: Socket;
  frames: Frame[];
  gone: boolean;
}

/** A server that lets many PostgreSQL clients use one PGlite. */
export interface DatabaseServer {
  /** How many clients are connected. */
  clients(): number;
  /** Resolves when the last client has left. */
  deserted(): Promise<void>;
  /** Ends every connection and resolves when no statement runs any more. */
  close(): Promise<void>;
}

export interface ServeOptions {
  socketPath: string;
  /** A client that holds a transaction open and says nothing for this long (milliseconds) is disconnected. */
  idleInTransactionMs?: number;
  /** Called when the database engine itself has failed; it cannot be used any more. */
  onFailure: (error: unknown) => void;
}

/**
 * Serves `db` on a Unix socket. PGlite is one session, so clients take turns: a client has it from the first message of a
 * statement until the server is idle again, that is, for the whole of a transaction and for every step of an extended
 * query. When a client goes away in the middle, its work is rolled back and the next one goes on.
 */
export async function serveDatabase(db: PGlite, options: ServeOptions): Promise<DatabaseServer> {
  const turns = new Turns(db, options);
  const stopListening = await keepListening(options.socketPath, (socket) => accept(turns, socket));
  return {
    clients: () => turns.clients.size,
    deserted: () => turns.deserted(),
    close: async () => {
      const closed = stopListening();
      for (const client of turns.clients) client.socket.destroy();
      await Promise.all([closed, turns.deserted()]);
    },
  };
}

function accept(turns: Turns, socket: Socket): void {
  const client: Client = { socket, frames: [], gone: false };
  const reader = new FrameReader();
  turns.clients.add(client);
  socket.on("data", (chunk: Buffer) => {
    turns.hear(client);
    try {
      for (const frame of reader.push(chunk)) turns.take(client, frame);
    } catch {
      socket.destroy();
    }
  });
  // "close" always follows "error": nothing else is to be done for a broken connection
  socket.on("error", () => socket.destroy());
  socket.on("close", () => turns.leave(client));
}

class Turns {
  readonly clients = new Set<Client>();
  #db: PGlite;
  #options: ServeOptions;
  #waiting = new Set<Client>();
  #holder: Client | undefined;
  #running = false;
  #patience: NodeJS.Timeout | undefined;
  #onDeserted: (() => void)[] = [];

  constructor(db: PGlite, options: ServeOptions) {
    this.#db = db;
    this.#options = options;
  }

  take(client: Client, frame: Frame): void {
    if (frame.kind === "refuse-encryption") client.socket.write("N");
    else if (frame.kind === "goodbye") client.socket.end();
    else {
      client.frames.push(frame);
      this.#waiting.add(client);
      this.#run();
    }
  }

  /** Bytes of a long message are no silence. */
  hear(client: Client): void {
    if (client === this.#holder && this.#patience) this.#waitFor(client);
  }

  leave(client: Client): void {
    client.gone = true;
    this.clients.delete(client);
    this.#waiting.delete(client);
    this.#run();
  }

  async deserted(): Promise<void> {
    if (this.clients.size === 0 && !this.#running) return;
    await new Promise<void>((resolve) => this.#onDeserted.push(resolve));
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    this.#takeTurns()
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#running = false;
        if (this.clients.size === 0) for (const resolve of this.#onDeserted.splice(0)) resolve();
      });
  }

  async #takeTurns(): Promise<void> {
    for (;;) {
      if (this.#holder?.gone) await this.#abandon();
      const client = this.#holder ?? this.#waiting.values().next().value;
      const frame = client?.frames.shift();
      if (!client || !frame) return;
      // last in the queue again: a client that pipelines does not starve the others
      this.#waiting.delete(client);
      if (client.frames.length > 0) this.#waiting.add(client);
      await this.#execute(client, frame);
      // lets the sockets be read between two statements: the engine blocks the event loop
      await setImmediate();
    }
  }

  async #execute(client: Client, frame: Frame): Promise<void> {
    this.#stopWaiting();
    this.#holder = client;
    const answer = await this.#send(frame.kind === "startup" ? STARTUP_MESSAGE : frame.bytes);
    if (!client.gone) client.socket.write(answer);
    if (frame.ends && !this.#db.isInTransaction()) this.#holder = undefined;
    else this.#waitFor(client);
  }

  async #abandon(): Promise<void> {
    this.#stopWaiting();
    await this.#send(SYNC_MESSAGE);
    if (this.#db.isInTransaction()) await this.#send(queryMessage("rollback"));
    this.#holder = undefined;
  }

  /** Disconnects the holder unless it says something in time. */
  #waitFor({ socket }: Client): void {
    this.#stopWaiting();
    const timer = setTimeout(() => socket.destroy(), this.#options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS);
    this.#patience = timer;
  }

  #stopWaiting(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  async #send(message: Uint8Array): Promise<Buffer> {
    const answer: Buffer[] = [];
    // the engine reuses its memory after the callback, so the bytes are copied
    await this.#db.execProtocolRawStream(message, {
      onRawData: (bytes) => answer.push(Buffer.from(bytes)),
    });
    return Buffer.concat(answer);
  }
}

import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import {
  BEGIN_RESPONSE,
  closeMessage,
  type Frame,
  isBegin,
  isRead,
  queryMessage,
  STARTUP_MESSAGE,
  SYNC_MESSAGE,
  statementName,
} from "./protocol.ts";

/** A client that stops in the middle of a transaction blocks all others for this long. */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** How many statements in a row may overtake a transaction. */
const OVERTAKING_MAX = 20;
/** A transaction that has waited for this long is not overtaken any more. */
const OVERTAKEN_MS = 50;
/**
 * For this long after a single read, only transactions that begin with a read may begin, because a question sends several
 * reads. Single statements that write do not wait: they hold the session for one message.
 */
const READ_PAUSE_MS = 10;

export interface Client {
  socket: Socket;
  frames: Frame[];
  /** Whether its next statement begins a transaction that the engine does not know yet. */
  begins: boolean;
  /** The names of its statements, which are unique among all clients. */
  statements: Set<string>;
  gone: boolean;
}

export interface SessionQueueOptions {
  /** A client that is idle in a transaction for this long (milliseconds) is disconnected. */
  idleInTransactionMs?: number;
  /** Statements overtake a transaction until it has waited for this long (milliseconds). */
  overtakenMs?: number;
  /** After a read, a writing transaction waits this long (milliseconds) for the next read. */
  readPauseMs?: number;
  /** Called when the database engine has failed and can no longer be used. */
  onFailure: (error: unknown) => void;
}

/** The order in which clients use the one session of `db`. */
export class SessionQueue {
  readonly clients = new Set<Client>();
  #db: PGlite;
  #options: SessionQueueOptions;
  /** In the order in which they go, with the time since which they wait. */
  #waiting = new Map<Client, number>();
  #holder: Client | undefined;
  /** Statements of clients that have left. */
  #abandoned = new Set<string>();
  #running = false;
  /** How many statements in a row have overtaken a transaction. */
  #overtaking = 0;
  #lastRead = Number.NEGATIVE_INFINITY;
  #pauseTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #onAllClientsGone: (() => void)[] = [];

  constructor(db: PGlite, options: SessionQueueOptions) {
    this.#db = db;
    this.#options = options;
  }

  enqueue(client: Client, frame: Frame): void {
    if (frame.kind === "refuse-encryption") client.socket.write("N");
    else if (frame.kind === "goodbye") client.socket.end();
    else if (isBegin(frame) && this.#isIdle(client)) {
      client.begins = true;
      client.socket.write(BEGIN_RESPONSE);
    } else {
      const name = statementName(frame);
      if (name) client.statements.add(name);
      client.frames.push(frame);
      if (!this.#waiting.has(client)) this.#waiting.set(client, performance.now());
      this.#run();
    }
  }

  /** Whether the client has no transaction and no statement that is running or waiting. */
  #isIdle(client: Client): boolean {
    return client !== this.#holder && client.frames.length === 0 && !client.begins;
  }

  /** Restarts the idle timer: a client that is sending a long message is not idle. */
  noteActivity(client: Client): void {
    if (client === this.#holder && this.#idleTimer) this.#startIdleTimer(client);
  }

  leave(client: Client): void {
    client.gone = true;
    this.clients.delete(client);
    this.#waiting.delete(client);
    for (const name of client.statements) this.#abandoned.add(name);
    this.#run();
  }

  async allClientsGone(): Promise<void> {
    if (this.clients.size === 0 && !this.#running) return;
    await new Promise<void>((resolve) => this.#onAllClientsGone.push(resolve));
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    this.#takeTurns()
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#running = false;
        if (this.clients.size === 0) for (const resolve of this.#onAllClientsGone.splice(0)) resolve();
      });
  }

  async #takeTurns(): Promise<void> {
    for (;;) {
      if (this.#holder?.gone) await this.#rollBackHolder();
      if (!this.#holder && this.#abandoned.size > 0) await this.#closeAbandoned();
      const client = this.#holder ?? this.#next();
      const frame = client?.frames.shift();
      if (!client || !frame) return;
      // back to the end of the queue: a client that pipelines must not starve the others
      this.#waiting.delete(client);
      if (client.frames.length > 0) this.#waiting.set(client, performance.now());
      await this.#execute(client, frame);
      // let the sockets be read between two statements: the engine blocks the event loop
      await setImmediate();
    }
  }

  /**
   * Returns the client that waits longest, or a later one that begins no transaction or a read-only one. Returns none
   * while a writing transaction waits for the next read of a question.
   */
  #next(): Client | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [longest, since] = first;
    const now = performance.now();
    const remaining = since + (this.#options.overtakenMs ?? OVERTAKEN_MS) - now;
    const mayWait = beginsNow(longest) && this.#overtaking < OVERTAKING_MAX && remaining > 0;
    const clients = [...this.#waiting.keys()];
    const preferred = mayWait && (clients.find((client) => !beginsNow(client)) ?? clients.find(beginsWithRead));
    const pause = this.#lastRead + (this.#options.readPauseMs ?? READ_PAUSE_MS) - now;
    if (mayWait && !preferred && pause > 0) {
      this.#continueIn(Math.min(pause, remaining));
      return undefined;
    }
    const next = preferred || longest;
    this.#overtaking = next === longest ? 0 : this.#overtaking + 1;
    return next;
  }

  #continueIn(ms: number): void {
    clearTimeout(this.#pauseTimer);
    this.#pauseTimer = setTimeout(() => this.#run(), ms).unref();
  }

  async #execute(client: Client, frame: Frame): Promise<void> {
    this.#stopIdleTimer();
    this.#holder = client;
    if (client.begins) await this.#send(queryMessage("begin"));
    client.begins = false;
    const answer = await this.#send(frame.kind === "startup" ? STARTUP_MESSAGE : frame.bytes);
    if (!client.gone) client.socket.write(answer);
    const released = frame.ends && !this.#db.isInTransaction();
    if (released && isRead(frame)) this.#lastRead = performance.now();
    if (released) this.#holder = undefined;
    else this.#startIdleTimer(client);
  }

  async #rollBackHolder(): Promise<void> {
    this.#stopIdleTimer();
    await this.#send(SYNC_MESSAGE);
    if (this.#db.isInTransaction()) await this.#send(queryMessage("rollback"));
    this.#holder = undefined;
  }

  async #closeAbandoned(): Promise<void> {
    const names = [...this.#abandoned];
    this.#abandoned.clear();
    await this.#send(closeMessage(names));
  }

  /** Disconnects the holder when it stays idle too long. */
  #startIdleTimer({ socket }: Client): void {
    this.#stopIdleTimer();
    const timer = setTimeout(async () => {
      // what arrived while the event loop was blocked is read first
      await setImmediate();
      if (this.#idleTimer === timer) socket.destroy();
    }, this.#options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS);
    this.#idleTimer = timer;
  }

  #stopIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  async #send(message: Uint8Array): Promise<Buffer> {
    const answer: Buffer[] = [];
    // copied, because the engine reuses its memory after the callback
    await this.#db.execProtocolRawStream(message, {
      onRawData: (bytes) => answer.push(Buffer.from(bytes)),
    });
    return Buffer.concat(answer);
  }
}

/** Whether its next statement begins a transaction. A client that pipelines sends `begin` behind other statements. */
function beginsNow({ begins, frames: [frame] }: Client): boolean {
  return begins || (frame !== undefined && isBegin(frame));
}

/** Whether its next transaction begins with a read. */
function beginsWithRead({ frames }: Client): boolean {
  const first = frames.find((frame) => !isBegin(frame));
  return first !== undefined && isRead(first);
}

import type { Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { keepListening } from "./listen.ts";
import { FrameReader } from "./protocol.ts";
import { type Client, SessionQueue, type SessionQueueOptions } from "./session-queue.ts";

/** A server that lets many PostgreSQL clients share one PGlite. */
export interface DatabaseServer {
  /** Number of connected clients. */
  clients(): number;
  /** Resolves when the last client has left. */
  allClientsGone(): Promise<void>;
  /** Closes every connection and resolves when no statement is running. */
  close(): Promise<void>;
}

interface ServeOptions extends SessionQueueOptions {
  socketPath: string;
}

/**
 * Serves `db` on a Unix socket. PGlite has a single session, so clients take turns: a client holds the session from the
 * first message of a statement until the server is idle again, that is, for a whole transaction and for every step of
 * an extended query. A transaction takes the session with its first statement, not while its client reads the answer to
 * `begin`. Single statements overtake waiting transactions for a while, because most questions send nothing else and a
 * transaction holds the session for many round trips. A writing transaction also waits a little for the next read of a
 * question. When a client disconnects in the middle, its work is rolled back and the next client continues.
 */
export async function serveDatabase(db: PGlite, options: ServeOptions): Promise<DatabaseServer> {
  const queue = new SessionQueue(db, options);
  const stopListening = await keepListening(options.socketPath, (socket) => accept(queue, socket));
  return {
    clients: () => queue.clients.size,
    allClientsGone: () => queue.allClientsGone(),
    close: async () => {
      const closed = stopListening();
      for (const client of queue.clients) client.socket.destroy();
      await Promise.all([closed, queue.allClientsGone()]);
    },
  };
}

function accept(queue: SessionQueue, socket: Socket): void {
  const client: Client = { socket, frames: [], begins: false, statements: new Set(), gone: false };
  const reader = new FrameReader();
  queue.clients.add(client);
  socket.on("data", (chunk: Buffer) => {
    queue.noteActivity(client);
    try {
      for (const frame of reader.push(chunk)) queue.enqueue(client, frame);
    } catch {
      socket.destroy();
    }
  });
  // "close" always follows "error", so a broken connection needs no other handling
  socket.on("error", () => socket.destroy());
  socket.on("close", () => queue.leave(client));
}

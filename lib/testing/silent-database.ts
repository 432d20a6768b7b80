import { createServer, type Socket } from "node:net";

interface SilentDatabase {
  url: string;
  close(): void;
}

/** AuthenticationOk and ReadyForQuery of PostgreSQL's protocol. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** Accepts connections as PostgreSQL does, and never answers a statement. */
export async function silentDatabase(): Promise<SilentDatabase> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => socket.write(WELCOME));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `postgres://nobody@127.0.0.1:${typeof address === "object" ? address?.port : ""}/nothing`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

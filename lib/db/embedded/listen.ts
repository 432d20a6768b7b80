import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { makeSocketFolder } from "./socket.ts";

const CHECK_INTERVAL_MS = 1_000;

/**
 * Listens on a Unix socket that only this user can reach, and creates the socket again when it is removed, as tools
 * that clean temporary folders do.
 * @returns a function that stops listening; the caller closes the connections
 */
export async function keepListening(
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<() => Promise<void>> {
  let server = await listen(path, onConnection);
  let reopening = Promise.resolve();
  const timer = setInterval(() => {
    if (existsSync(path)) return;
    reopening = reopening
      .then(async () => {
        if (existsSync(path)) return;
        // closing removes the path, so it must come before the new socket
        server.close();
        server = await listen(path, onConnection);
      })
      .catch((error: Error) => console.error(`embedded database: ${path} could not be recreated: ${error.message}`));
  }, CHECK_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await reopening;
    await new Promise((resolve) => server.close(resolve));
  };
}

async function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  makeSocketFolder(path);
  rmSync(path, { force: true });
  const server = createServer(onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return server;
}

import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { makeSocketFolder } from "./socket.ts";

const CHECK_EVERY_MS = 1_000;

/**
 * Listens on a Unix socket that this user alone can reach, and makes it again when somebody removes it, as those do who
 * clean temporary folders. @returns a function that ends it; connections are the caller's to end
 */
export async function keepListening(
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<() => Promise<void>> {
  let server = await listen(path, onConnection);
  let making = Promise.resolve();
  const timer = setInterval(() => {
    if (existsSync(path)) return;
    making = making
      .then(async () => {
        if (existsSync(path)) return;
        // removes the path, so before the new one is there
        server.close();
        server = await listen(path, onConnection);
      })
      .catch((error: Error) => console.error(`embedded database: ${path} could not be made again: ${error.message}`));
  }, CHECK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await making;
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

import { connect, createServer, type Socket } from "node:net";

interface VanishingServer {
  port: number;
  /** The server of all open connections is gone, and nothing tells their clients. New connections work. */
  vanish(): void;
  close(): void;
}

/** Passes connections on to a port of this machine. */
export async function vanishingServer(to: number): Promise<VanishingServer> {
  const clients = new Set<Socket>();
  let vanishing: (() => void)[] = [];
  // a server that is gone does not answer the end of a connection either
  const server = createServer({ allowHalfOpen: true }, (client) => {
    clients.add(client);
    const upstream = connect(to, "127.0.0.1");
    let isGone = false;
    client.on("data", (data) => isGone || upstream.write(data));
    upstream.on("data", (data) => isGone || client.write(data));
    client.on("end", () => isGone || client.end());
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => isGone || client.destroy());
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    vanishing.push(() => {
      isGone = true;
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return {
    port: address.port,
    vanish() {
      for (const end of vanishing) end();
      vanishing = [];
    },
    close() {
      for (const client of clients) client.destroy();
      server.close();
    },
  };
}

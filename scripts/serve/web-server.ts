import type { Server } from "node:http";
import type { Env } from "../../lib/env.ts";
import { createWebServer } from "./http-server.ts";

/** What answers requests: the server's own process, or several. */
export interface Web {
  /** The origin on which this machine reaches it. */
  address(): string;
  /** Loads the web application and the models. */
  load(): Promise<void>;
  /** Starts serving. Until then, all requests get 503. */
  open(): void;
  /** Answers for a moment longer, stops listening and lets the requests in flight finish, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Listens in this process. @throws the error of `listen` */
export async function webServer(settings: Env, dev: boolean): Promise<Web> {
  const web = createWebServer({ upgrades: dev, behindProxy: settings.publicUrl.startsWith("https:") });
  await listen(web.server, settings);
  let handle: Parameters<typeof web.open>[0];
  return {
    address: web.address,
    close: web.close,
    async load() {
      const { loadApplication } = await import("./application.ts");
      handle = await loadApplication({ dev, web });
    },
    open: () => web.open(handle),
  };
}

export async function listen(server: Server, { port, host }: Pick<Env, "port" | "host">): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

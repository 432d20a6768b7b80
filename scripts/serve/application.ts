/** Imports the parts that load slowly: framework, models and product. The database starts while they load. */
import next from "next";
import { embedder } from "../../lib/ai/models.ts";
import { closeConnection } from "../../lib/db/client.ts";
import { closeReplica } from "../../lib/db/replica.ts";
import { projectRoot } from "../../lib/project-root.ts";
import { flushQueryLog } from "../../lib/usage/record.ts";
import { withDirectRetrieval } from "./direct-retrieval.ts";
import type { Handle, WebServer } from "./http-server.ts";
import { withRequestIds } from "./page-errors.ts";

/** Loads the web application and the models. */
export async function loadApplication({ dev, web }: { dev: boolean; web: WebServer }): Promise<Handle> {
  // Next.js requests the target page of an action's redirect from this URL
  const { hostname, port } = new URL(web.address());
  const ownAddress = { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
  const app = next({ dev, dir: projectRoot(), ...ownAddress, ...(dev && { httpServer: web.server }) });
  // the server starts even if the embedding model is unavailable; /readyz reports it
  await Promise.all([app.prepare(), embedder().catch(() => undefined)]);
  const handle = app.getRequestHandler();
  // in development, Next.js shows its own error page
  return dev ? handle : withDirectRetrieval(withRequestIds(handle));
}

/** Writes the pending query log and closes the connections to the database and its replica. */
export async function disconnectDatabase(): Promise<void> {
  await flushQueryLog();
  await Promise.all([closeConnection(), closeReplica()]);
}

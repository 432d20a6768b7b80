/** What takes long to load: the framework, the models and the product. The database starts while this is read. */
import next from "next";
import { embedder } from "../lib/ai/models.ts";
import { backupBeforeMigration } from "../lib/backup/keep.ts";
import { closeConnection } from "../lib/db/client.ts";
import { migrate } from "../lib/db/migrate.ts";
import { projectRoot } from "../lib/env.ts";
import { createSetupCode } from "../lib/members/setup.ts";
import { type SampleAccess, seedSample } from "../lib/sample.ts";
import { flushQueryLog } from "../lib/usage/record.ts";
import type { Handle, WebServer } from "./http-server.ts";
import { withRequestIds } from "./page-errors.ts";

/** Loads the web application and the models. */
export async function loadApplication({ dev, web }: { dev: boolean; web: WebServer }): Promise<Handle> {
  // an action that leads to another page asks this server for that page itself
  const { hostname, port } = new URL(web.address());
  const here = { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
  const app = next({ dev, dir: projectRoot(), ...here, ...(dev && { httpServer: web.server }) });
  // whatever a remote model has to say about it, the server starts; /readyz tells
  await Promise.all([app.prepare(), embedder().catch(() => undefined)]);
  const handle = app.getRequestHandler();
  // in development the framework shows its own page of an error
  return dev ? handle : withRequestIds(handle);
}

export interface FirstAccess {
  sample: SampleAccess | null;
  /** For the page that makes the first admin; null when there is a user. */
  setupCode: string | null;
}

/** Brings the database up to date, with a backup of what was there; on the very first start makes the sample company. */
export async function prepareDatabase(): Promise<FirstAccess> {
  await backupBeforeMigration();
  await migrate();
  const sample = await seedSample();
  return { sample, setupCode: await createSetupCode() };
}

/** Writes what is still to be written, and lets go of the database. */
export async function leaveDatabase(): Promise<void> {
  await flushQueryLog();
  await closeConnection();
}

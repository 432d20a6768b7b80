import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { connect } from "../db/client.ts";
import { startOwner } from "../db/embedded/ensure-owner.ts";
import { copyEmptyDatabase } from "./empty-database.ts";

export interface FreshDatabase {
  target: Parameters<typeof connect>[0];
  remove(): Promise<void>;
}

/**
 * Creates an empty database of the tested kind: embedded in a folder, or a new one on the server of
 * `TEST_DATABASE_URL`.
 */
export async function freshDatabase(dataDir: string): Promise<FreshDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (server) return onServer(server);
  await copyEmptyDatabase(dataDir);
  const owner = await startOwner(dataDir);
  return { target: { dataDir }, remove: owner.stop };
}

async function onServer(server: string): Promise<FreshDatabase> {
  const name = `ragstone_test_${randomBytes(6).toString("hex")}`;
  const admin = postgres(server, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const remove = async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  };
  return { target: { url: url.href }, remove };
}

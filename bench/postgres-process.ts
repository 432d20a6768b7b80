import { readFileSync } from "node:fs";
import { connection } from "../lib/db/client.ts";
import { tree } from "./server.ts";

/** The processes of the PostgreSQL server that the connection uses, which must run on this machine. */
export async function postgresPids(): Promise<number[]> {
  const [backend] = await connection().sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  // the server started the connection's process
  return tree(Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${backend?.pid}/status`, "utf8"))?.[1]));
}

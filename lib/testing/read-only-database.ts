import { closeConnection, connect, connection, setConnection } from "../db/client.ts";
import { env } from "../env.ts";

/** Makes the tests' database refuse changes through the connections of the product, while `work` runs. */
export async function onReadOnlyDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const { databaseUrl } = env();
  if (databaseUrl) await openReadOnly(databaseUrl);
  else await switchEmbedded("on");
  try {
    return await work();
  } finally {
    if (databaseUrl) await closeConnection();
    else await switchEmbedded("off");
  }
}

/** On a server, connections may differ. */
async function openReadOnly(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  url.searchParams.set("default_transaction_read_only", "on");
  await closeConnection();
  setConnection(connect({ url: url.href }));
}

/** All connections share the one session of the embedded database. */
async function switchEmbedded(to: "on" | "off"): Promise<void> {
  await connection().sql.unsafe(`set default_transaction_read_only = ${to}`);
}

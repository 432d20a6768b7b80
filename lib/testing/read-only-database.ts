import { connection } from "../db/client.ts";

/** Makes the embedded database refuse changes while `work` runs. All connections share its one session. */
export async function onReadOnlyDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const setReadOnly = (to: "on" | "off") => connection().sql.unsafe(`set default_transaction_read_only = ${to}`);
  await setReadOnly("on");
  try {
    return await work();
  } finally {
    await setReadOnly("off");
  }
}

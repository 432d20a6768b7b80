import type { Ragstone } from "../client.ts";
import { RagstoneError } from "../errors.ts";
import type { Source } from "../source-types.ts";
import type { RequestOptions } from "../transport.ts";
import { counted } from "./counted.ts";
import type { Outcome } from "./terminal.ts";

const SOURCES_PER_PAGE = 200;

export async function listRemotely(client: Ragstone, options?: RequestOptions): Promise<Outcome> {
  const rows = [];
  for await (const source of client.sources.list({ limit: SOURCES_PER_PAGE }, options)) {
    const { sourceId, title, sourceType, status, chunks, updatedAt, error } = source;
    // the API's microseconds mean nothing to a reader
    rows.push({ sourceId, title, sourceType, status, chunks, updatedAt: new Date(updatedAt).toISOString(), error });
  }
  return listOutcome(rows.sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1)));
}

/** What `source list` prints. */
export function listOutcome(rows: (Pick<Source, "sourceId" | "chunks" | "error"> & { status: string })[]): Outcome {
  const lines = rows.map(({ sourceId, status, chunks, error }) =>
    [sourceId, status, counted(chunks, "chunk"), error].filter(Boolean).join("  "),
  );
  return { value: rows, lines };
}

export async function deleteRemotely(client: Ragstone, sourceId: string, options?: RequestOptions): Promise<Outcome> {
  for await (const { id } of client.sources.list({ sourceId }, options)) {
    await client.sources.delete(id, options);
    return { value: { sourceId }, lines: [`Deleted ${sourceId}`] };
  }
  throw new RagstoneError(`Source ${sourceId} not found`);
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Ragstone } from "../client.ts";
import { PermissionError } from "../errors.ts";
import type { Source, SourceLabels } from "../source-types.ts";
import { type Ingestion, record, recordRefusal } from "./ingestion.ts";
import { sendOpened } from "./open-file.ts";
import { runConcurrently } from "./run-concurrently.ts";
import { say, showProgress } from "./terminal.ts";
import type { WalkedFile } from "./walk-files.ts";

const SOURCES_PER_DIFF = 10_000;
const UPLOADS_AT_ONCE = 4;
const SOURCES_PER_PAGE = 200;

interface HashedFile extends WalkedFile {
  sha256: string;
}

/** Sends the files that the server does not know with the same content and labels. */
export async function sendFiles(
  client: Ragstone,
  files: WalkedFile[],
  labels: SourceLabels,
  ingestion: Ingestion,
): Promise<void> {
  const hashed = await hashFiles(files, ingestion);
  const unchanged = await findUnchanged(client, hashed, ingestion);
  const known = await listKnown(client, unchanged, ingestion);
  const isGiven = Object.values(labels).some((label) => label !== undefined);
  const toSend = hashed.filter(({ sourceId }) => !unchanged.has(sourceId) || (isGiven && known === null));
  const sent = new Set(toSend.map(({ sourceId }) => sourceId));
  await relabel(
    client,
    [...unchanged].filter((id) => !sent.has(id)),
    known,
    labels,
    ingestion,
  );
  let done = 0;
  await runConcurrently(toSend, UPLOADS_AT_ONCE, async (file) => {
    await sendFile(client, file, labels, ingestion);
    showProgress(++done, toSend.length);
  });
}

/** Uploads one file. */
export async function sendFile(
  client: Ragstone,
  { path, sourceId }: WalkedFile,
  labels: SourceLabels,
  ingestion: Ingestion,
): Promise<void> {
  try {
    const put = (file: Blob) => client.sources.putFile({ ...labels, sourceId, file }, ingestion.options);
    record(ingestion, [await sendOpened(path, put)]);
  } catch (error) {
    recordRefusal(ingestion, sourceId, error);
  }
}

async function hashFiles(files: WalkedFile[], { failed }: Ingestion): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  for (const file of files) {
    try {
      const hash = createHash("sha256");
      for await (const part of createReadStream(file.path)) hash.update(part);
      hashed.push({ ...file, sha256: hash.digest("hex") });
    } catch (error) {
      failed.push({ path: file.sourceId, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return hashed;
}

async function findUnchanged(client: Ragstone, files: HashedFile[], { options }: Ingestion): Promise<Set<string>> {
  const unchanged: string[] = [];
  for (let start = 0; start < files.length; start += SOURCES_PER_DIFF) {
    const sources = files.slice(start, start + SOURCES_PER_DIFF).map(({ sourceId, sha256 }) => ({ sourceId, sha256 }));
    unchanged.push(...(await client.sources.diff({ sources }, options)).unchanged);
  }
  return new Set(unchanged);
}

/** The server's state of these sources; null if the key may not list sources. */
async function listKnown(
  client: Ragstone,
  sourceIds: Set<string>,
  { options }: Ingestion,
): Promise<Map<string, Source> | null> {
  const known = new Map<string, Source>();
  if (sourceIds.size === 0) return known;
  const prefix = commonPrefix([...sourceIds]) || undefined;
  try {
    for await (const source of client.sources.list({ prefix, limit: SOURCES_PER_PAGE }, options)) {
      if (sourceIds.has(source.sourceId)) known.set(source.sourceId, source);
    }
    return known;
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error;
    say("The key does not have the scope manage: the chunks of unchanged files are not counted.");
    return null;
  }
}

/** Changes the labels of unchanged files where they differ, without sending the files. */
async function relabel(
  client: Ragstone,
  sourceIds: string[],
  known: Map<string, Source> | null,
  labels: SourceLabels,
  ingestion: Ingestion,
): Promise<void> {
  await runConcurrently(sourceIds, UPLOADS_AT_ONCE, async (sourceId) => {
    const source = known?.get(sourceId);
    if (!source || !hasOtherLabels(source, labels)) {
      ingestion.unchanged.set(sourceId, source?.chunks ?? 0);
      return;
    }
    try {
      record(ingestion, [await client.sources.update(source.id, labels, ingestion.options)]);
    } catch (error) {
      recordRefusal(ingestion, sourceId, error);
    }
  });
}

function hasOtherLabels(source: Source, { audience, contentCategory, path }: SourceLabels): boolean {
  return (
    (audience !== undefined && String(audience) !== String(source.audience)) ||
    (contentCategory !== undefined && contentCategory !== source.contentCategory) ||
    (path !== undefined && JSON.stringify(path) !== JSON.stringify(source.path))
  );
}

function commonPrefix([first = "", ...others]: string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  // half a surrogate pair is not text
  return first.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

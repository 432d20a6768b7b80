import type { sourceVersions } from "../../db/schema/index.ts";
import { env } from "../../env.ts";
import { log } from "../../log.ts";
import type { PreparedChunk } from "../../search-index/prepared-chunk.ts";
import { objectStore } from "../../storage/index.ts";
import {
  type Attachment,
  type ReadingProgress,
  type ReadMetadata,
  type RecognisedPage,
  UnreadableFile,
} from "../parse/document.ts";
import { requestPieces, requestTexts } from "../parse/pool.ts";
import type { Piece, PieceRequest } from "./pieces.ts";

export type Version = typeof sourceVersions.$inferSelect;

export interface PreparedVersion {
  title: string;
  notice: string | null;
  metadata: ReadMetadata;
  attachments: Attachment[];
  chunks: PreparedChunk[];
}

/** Time limit to read a version. Plain text of 50 MB needs a tenth of it; only hostile files reach it. */
const READING_MS = { least: 60_000, perMegabyte: 20_000 };
/** Limits of a version for the quick lane. */
const SMALL = { bytes: 1_000_000, readingMs: 5_000 };
/** Texts up to this length share a message, which takes longer than reading one text; 16 take about 40 ms. */
const SHORT = { chars: 8_000, readingMs: 1_000 };

/**
 * Reads the content of a version, splits it into chunks and analyses them, in the reader's process.
 * @param options.maxTokens the embedding model's window
 * @param options.recognised pages that an earlier attempt recognised
 * @throws {ReadingTimeout} @throws {UnreadableFile} with a reason for the user
 */
export async function* prepareVersion(
  version: Version,
  { maxTokens, recognised }: { maxTokens: number; recognised: readonly RecognisedPage[] },
  signal?: AbortSignal,
): AsyncGenerator<Piece | ReadingProgress> {
  const timeMs = READING_MS.least + READING_MS.perMegabyte * (sizeOf(version) / 1_000_000);
  yield* requestPieces(await requestFor(version, maxTokens, recognised), timeMs, signal);
}

/**
 * Prepares a whole version that is small and quick to read, without text recognition.
 * @returns null for any other version; the part that was read is discarded
 * @throws {ReadingTimeout} @throws {UnreadableFile}
 */
export async function prepareSmall(
  version: Version,
  maxTokens: number,
  signal?: AbortSignal,
): Promise<PreparedVersion | null> {
  if (sizeOf(version) > SMALL.bytes) return null;
  for await (const piece of requestPieces(await requestFor(version, maxTokens), SMALL.readingMs, signal)) {
    return "last" in piece && piece.last ? piece : null;
  }
  return null;
}

/**
 * Prepares the short texts among the versions, all together.
 * @returns by the version's id; the others are prepared on their own. Null when one of them makes the reader fail
 */
export async function prepareShortTexts(
  versions: Version[],
  maxTokens: number,
  signal?: AbortSignal,
): Promise<Map<string, PreparedVersion> | null> {
  const short = versions.filter((version) => version.body.kind !== "file" && sizeOf(version) <= SHORT.chars);
  if (short.length === 0) return new Map();
  const texts = await Promise.all(short.map((version) => requestFor(version, maxTokens)));
  try {
    const pieces = await requestTexts(texts, SHORT.readingMs, signal);
    return new Map(short.flatMap(({ id }, index) => (pieces[index] ? [[id, pieces[index]]] : [])));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    log().warn({ reason: error.message, texts: texts.length }, "worker: short texts are read one by one");
    return null;
  }
}

/** The size of a file in bytes, or of a text in characters. */
function sizeOf({ body }: Version): number {
  if (body.kind === "file") return body.bytes;
  return body.kind === "text" ? body.content.length : body.question.length + body.answer.length;
}

async function requestFor(
  { body, sourceId, title }: Version,
  maxTokens: number,
  recognised: readonly RecognisedPage[] = [],
): Promise<PieceRequest> {
  const rest = { kind: "pieces", sourceId, maxTokens, ocrLanguages: env().ocrLanguages, recognised } as const;
  if (body.kind === "qa") return { ...rest, body };
  if (body.kind === "text") return { ...rest, body: { ...body, title } };
  const bytes = await objectStore().get(body.storageKey);
  return { ...rest, body: { kind: "file", fileName: body.fileName, bytes } };
}

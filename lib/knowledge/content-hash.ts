import { createHash } from "node:crypto";
import type { SourceBody } from "../db/stored-json.ts";
import { sortedJson } from "../sorted-json.ts";

interface Hashed {
  sourceType: string;
  title: string | null;
  audience: string[];
  contentCategory: string;
  path: string[];
  metadata: Record<string, unknown>;
  body: SourceBody;
}

/** SHA-256, hex, of everything about a source that retrieval can show: equal means that there is nothing to do. */
export function contentHash(source: Hashed): string {
  const { body } = source;
  const given = body.kind === "file" ? { file: body.sha256, name: body.fileName } : body;
  const { sourceType, title, audience, contentCategory, path, metadata } = source;
  return sha256(sortedJson({ sourceType, title, audience, contentCategory, path, metadata, given }));
}

/** A chunk's id: the same for the same text under the same headings of the same source, however often it is ingested. */
export function chunkId(
  sourceRowId: string,
  chunk: { headings: string[]; content: string; embeddingText: string },
  occurrence: number,
) {
  const hash = sha256(sortedJson([sourceRowId, chunk.headings, chunk.content, chunk.embeddingText, occurrence]));
  return uuidOf(hash);
}

/** A UUID that follows from the parts alone. */
export function hashedId(parts: string[]): string {
  return uuidOf(sha256(sortedJson(parts)));
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** The first 128 bits of a hash in the form of a version 8 UUID (RFC 9562). */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

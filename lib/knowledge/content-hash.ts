import type { SourceBody } from "../db/stored-json.ts";
import { sha256 } from "../sha256.ts";
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

/** SHA-256 as hex over everything that retrieval can return of a source. An equal hash means that nothing changed. */
export function contentHash(source: Hashed): string {
  const { body } = source;
  const given = body.kind === "file" ? { file: body.sha256, name: body.fileName } : body;
  const { sourceType, title, audience, contentCategory, path, metadata } = source;
  return sha256(sortedJson({ sourceType, title, audience, contentCategory, path, metadata, given }));
}

/** A chunk's id, derived from its source, headings and text, so that repeated ingestion gives the same id. */
export function chunkId(
  sourceRowId: string,
  chunk: { headings: string[]; content: string; embeddingText: string },
  occurrence: number,
) {
  const hash = sha256(sortedJson([sourceRowId, chunk.headings, chunk.content, chunk.embeddingText, occurrence]));
  return uuidOf(hash);
}

/** A UUID derived from the parts. */
export function hashedId(parts: string[]): string {
  return uuidOf(sha256(sortedJson(parts)));
}

/** The first 128 bits of a hash as a version 8 UUID (RFC 9562). */
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

import type { ContextChunk } from "../context-chunk.ts";

/** What a chunk is about, in one line: its question as it matched, or its title and nearest heading. */
export function topicOf(chunk: ContextChunk | undefined): string {
  if (chunk === undefined) return "";
  const { title, path, sourceType, phrasing } = chunk;
  if (sourceType === "qa") return phrasing ?? title;
  const heading = path.at(-1);
  return heading === undefined || heading === title ? title : `${title}. ${heading}`;
}

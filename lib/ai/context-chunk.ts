import { z } from "zod";
import { LANGUAGES } from "../languages.ts";

/**
 * A retrieved result without its identifiers, as the answer model gets it. Its number in the prompt and in `[n]` is its
 * position, from 1.
 */
export const contextChunkSchema = z.object({
  title: z.string(),
  /** The source's path and the headings above the text. */
  path: z.array(z.string()),
  content: z.string(),
  sourceType: z.string(),
  score: z.number(),
  /** How well the words of the question match, from 0 to 1; absent when the result came from elsewhere. */
  keywordScore: z.number().optional(),
  /** Of a question and answer: the phrasing of its question that matched best, which may be an alternative one. */
  phrasing: z.string().optional(),
  /** Absent when it is unknown. */
  language: z.enum(LANGUAGES).optional(),
});

export type ContextChunk = z.infer<typeof contextChunkSchema>;

const headingsSchema = z.object({ headings: z.array(z.string()) });

/** Turns a retrieved result into a chunk; `metadata.headings` is appended to the path. */
export function toContextChunk(result: Readonly<ContextChunk> & { metadata?: Record<string, unknown> }): ContextChunk {
  const { path, metadata, title, content, sourceType, score, keywordScore, phrasing, language } = result;
  const headings = headingsSchema.safeParse(metadata).data?.headings ?? [];
  return {
    title,
    path: [...new Set([...path, ...headings])],
    content,
    sourceType,
    score,
    keywordScore,
    ...(phrasing !== undefined && { phrasing }),
    ...(language !== undefined && { language }),
  };
}

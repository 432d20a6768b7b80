import { z } from "zod";

/** What an answer is made from: one retrieved result, without its identifiers. Its number in a prompt and in `[n]` is its place, from 1. */
export const passageSchema = z.object({
  title: z.string(),
  /** The source's path and the headings that the text stands under. */
  path: z.array(z.string()),
  content: z.string(),
  sourceType: z.string(),
  score: z.number(),
});

export type Passage = z.infer<typeof passageSchema>;

const headingsSchema = z.object({ headings: z.array(z.string()) });

/** A retrieved result as a passage; `metadata.headings` joins the path. */
export function toPassage(result: Readonly<Passage> & { metadata?: Record<string, unknown> }): Passage {
  const { title, path, content, sourceType, score, metadata } = result;
  const headings = headingsSchema.safeParse(metadata).data?.headings ?? [];
  return { title, path: [...new Set([...path, ...headings])], content, sourceType, score };
}

import { z } from "zod";

/** What an answer is made from: one retrieved result, without its identifiers. Its number in a prompt and in `[n]` is its place, from 1. */
export const passageSchema = z.object({
  title: z.string(),
  path: z.array(z.string()),
  content: z.string(),
  sourceType: z.string(),
  score: z.number(),
});

export type Passage = z.infer<typeof passageSchema>;

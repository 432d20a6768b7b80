import { z } from "zod";

export { SOURCE_TYPES } from "./values.ts";

/** What a version was made from: text given inline, a question and answer, or a file in the object store. */
export const sourceBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), content: z.string() }),
  z.object({ kind: z.literal("qa"), question: z.string(), answer: z.string(), alternatives: z.array(z.string()) }),
  z.object({
    kind: z.literal("file"),
    storageKey: z.string(),
    fileName: z.string(),
    bytes: z.number(),
    sha256: z.string(),
  }),
]);

export type SourceBody = z.infer<typeof sourceBody>;

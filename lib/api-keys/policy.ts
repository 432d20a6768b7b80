import { z } from "zod";
import { SOURCE_TYPES } from "../knowledge/schema.ts";

/** What a key may reach: an absent entry allows everything, an empty list nothing. */
export const keyPolicy = z.strictObject({
  audience: z.array(z.string().trim().min(1)).optional(),
  sourceTypes: z.array(z.enum(SOURCE_TYPES)).optional(),
  path: z.array(z.string().trim().min(1)).optional(),
  contentCategory: z.array(z.string().trim().min(1)).optional(),
  limit: z.int().min(1).max(100).optional(),
  answers: z.boolean().optional(),
});

export type KeyPolicy = z.infer<typeof keyPolicy>;

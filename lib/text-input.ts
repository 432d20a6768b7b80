import { z } from "zod";
import { cleanText } from "./text.ts";

/** Base of every text schema: a string that the database can store. */
export function textInput(message: Parameters<typeof z.string>[0] = "must be a string") {
  return z.string(message).overwrite(cleanText);
}

/** Limits the length of a text as JavaScript counts it: zod by itself counts an emoji as one character. */
export function upToLength(text: z.ZodString, max: number, message: string) {
  return text.max(max, { error: message, abort: true }).refine(({ length }) => length <= max, message);
}

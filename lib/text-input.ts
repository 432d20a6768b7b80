import { z } from "zod";
import { cleanText } from "./text.ts";

/** Base of every text schema: a string that the database can store. */
export function textInput(message: Parameters<typeof z.string>[0] = "must be a string") {
  return z.string(message).overwrite(cleanText);
}

import { z } from "zod";
import { cleanText } from "./text.ts";

/** What every schema of text begins with: a string that the database can hold. */
export function textInput(refusal: Parameters<typeof z.string>[0] = "must be a string") {
  return z.string(refusal).overwrite(cleanText);
}

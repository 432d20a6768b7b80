import { z } from "zod";

/** Far above the length of any cursor. */
const MAX_LENGTH = 500;

/**
 * The place where the next page of a list starts, as an opaque text for callers: the sort values of the last row.
 * Unlike a page number, a cursor skips and repeats no row when rows are added in the meantime.
 */
export function encodeCursor(values: unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** Schema of a cursor that a caller sends back. @param values the schema of the sort values */
export function cursorInput<Schema extends z.ZodType>(values: Schema) {
  return z
    .string("must be a string")
    .max(MAX_LENGTH)
    .transform((text, context): z.output<Schema> => {
      const parsed = values.safeParse(decode(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: "is not a cursor of this list: send nextCursor unchanged" });
      return z.NEVER;
    });
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
}

import type { Operation } from "@/lib/openapi/reference.ts";

/** The fragment of an operation's URL on the page. */
export function anchorOf({ summary }: Operation): string {
  return summary.toLowerCase().replaceAll(/\W+/g, "-");
}

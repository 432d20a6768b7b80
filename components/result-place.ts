import type { LoggedResult } from "@/lib/db/stored-json.ts";

type Place = Pick<LoggedResult, "headings" | "page" | "position">;

/** Where a chunk was in its source, which tells results of one source apart. */
export function placeWords({ headings = [], page, position }: Place) {
  const words = [
    headings.join(" › "),
    page !== undefined && `page ${page}`,
    position !== undefined && `chunk ${position + 1}`,
  ]
    .filter(Boolean)
    .join(" · ");
  // without a heading, the place begins with "page" or "chunk"
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The title of a result with its place. */
export function titleWithPlace(result: Place & Pick<LoggedResult, "title" | "sourceId">): string {
  return [result.title ?? result.sourceId, placeWords(result)].filter(Boolean).join(" · ");
}

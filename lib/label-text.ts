/** Splits the labels in a text such as `ai_agent, copilot`. Blanks and empty parts are left out. */
export function splitList(text: string): string[] {
  return partsOf(text, ",");
}

/**
 * Splits a path such as `Support / Manuals` into its segments. Blanks and empty segments are left out. A slash within a
 * segment is written `\/`.
 */
export function splitPath(text: string): string[] {
  return partsOf(text, /(?<!\\)\//).map((segment) => segment.replaceAll("\\/", "/"));
}

/** Writes a path for a form, so that `splitPath` returns the same segments. */
export function pathText(segments: readonly string[]): string {
  return joinPath(segments.map((segment) => segment.replaceAll("/", "\\/")));
}

/** Joins the segments of a path for people: `Support / Manuals`. */
export function joinPath(segments: readonly string[]): string {
  return segments.join(" / ");
}

function partsOf(text: string, separator: string | RegExp): string[] {
  return text.split(separator).flatMap((part) => part.trim() || []);
}

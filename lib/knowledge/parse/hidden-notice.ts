import { counted } from "../../counted.ts";

const ADVICE = "To make it searchable, show it in the file and add the file again.";

/** Tells people that hidden text of a file was not read. */
export const HIDDEN_TEXT = `Hidden text was left out. ${ADVICE}`;

/** Tells people that struck-out text of a source was not read. */
export const STRUCK_TEXT =
  "Struck-out text was left out. To make it searchable, remove the line through it and add the source again.";

/** The notices that apply, one after the other; undefined if there are none. */
export function joinedNotices(...notices: (string | false | undefined)[]): string | undefined {
  return notices.filter((notice) => notice).join(" ") || undefined;
}

/**
 * Tells people which hidden parts of a file were not read.
 * @param counts the number of hidden parts by their singular noun, such as `row`
 * @returns undefined when nothing was hidden
 */
export function hiddenNotice(counts: Record<string, number>): string | undefined {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  if (parts.length === 0) return undefined;
  const list = parts.map(([noun, count]) => counted(count, noun)).join(", ");
  return `Hidden content was left out: ${list}. ${ADVICE}`;
}

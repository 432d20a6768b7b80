import { shortened } from "../text.ts";

/**
 * `Server-Timing` with one entry per stage.
 * @param stages milliseconds by name
 */
export function serverTiming(stages: Record<string, number>): Record<string, string> {
  const entries = Object.entries(stages).map(([stage, ms]) => `${stage};dur=${ms.toFixed(1)}`);
  return entries.length > 0 ? { "Server-Timing": entries.join(", ") } : {};
}

const LIST_BYTES_MAX = 1_000;
const NAME_LENGTH_MAX = 100;

/**
 * A header that lists names; missing when there are none. Names may come from a caller and hold any character, so they
 * are percent-encoded. A list longer than a kilobyte ends in "and 12 more".
 */
export function nameList(header: string, names: readonly string[]): Record<string, string> {
  const shown: string[] = [];
  let bytes = 0;
  for (const name of names) {
    const encoded = encodeURIComponent(shortened(name, NAME_LENGTH_MAX));
    bytes += encoded.length + ", ".length;
    if (bytes > LIST_BYTES_MAX) break;
    shown.push(encoded);
  }
  if (shown.length < names.length) shown.push(`and ${names.length - shown.length} more`);
  return shown.length > 0 ? { [header]: shown.join(", ") } : {};
}

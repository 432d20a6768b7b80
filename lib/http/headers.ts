/** `Server-Timing` with one entry a stage. @param stages milliseconds by name */
export function serverTiming(stages: Record<string, number>): Record<string, string> {
  const entries = Object.entries(stages).map(([stage, ms]) => `${stage};dur=${ms.toFixed(1)}`);
  return entries.length > 0 ? { "Server-Timing": entries.join(", ") } : {};
}

/** A header that lists names, and is not there when there are none. */
export function nameList(header: string, names: readonly string[]): Record<string, string> {
  return names.length > 0 ? { [header]: names.join(", ") } : {};
}

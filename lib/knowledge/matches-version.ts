/**
 * Whether the newest version of a source is one that a change may replace.
 * @param condition version IDs separated by commas, or `*` for any version
 * @param versionId undefined for a source that does not exist
 */
export function matchesVersion(condition: string, versionId: string | undefined): boolean {
  if (versionId === undefined) return false;
  return condition === "*" || condition.split(",").includes(versionId);
}

const ANY_SITE = "http://site.invalid";

/**
 * Returns the path of a local URL, including search and hash, as a browser would parse it. Returns null for
 * anything that leads to another site: browsers drop tabs and line breaks, and read backslashes as slashes.
 */
export function localPath(given: unknown): string | null {
  if (typeof given !== "string" || !given.startsWith("/") || !URL.canParse(given, ANY_SITE)) return null;
  const { origin, pathname, search, hash } = new URL(given, ANY_SITE);
  return origin === ANY_SITE && !pathname.startsWith("//") ? pathname + search + hash : null;
}

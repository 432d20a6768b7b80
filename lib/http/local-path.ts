const ANY_SITE = "http://site.invalid";

/**
 * A path of this site with its search, as a browser would read what an address says; null for anything that leads to
 * another site, in whatever disguise: browsers drop tabs and line ends, and take backslashes for slashes.
 */
export function localPath(given: unknown): string | null {
  if (typeof given !== "string" || !given.startsWith("/") || !URL.canParse(given, ANY_SITE)) return null;
  const { origin, pathname, search, hash } = new URL(given, ANY_SITE);
  return origin === ANY_SITE && !pathname.startsWith("//") ? pathname + search + hash : null;
}

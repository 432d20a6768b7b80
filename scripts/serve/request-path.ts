/** Whether every component reads the path alike: no invalid escapes, backslashes, or empty or relative segments. */
export function isUnambiguous(path: string): boolean {
  if (path === "/") return true;
  if (!path.startsWith("/") || path.endsWith("/")) return false;
  try {
    const decoded = decodeURIComponent(path);
    return !/[\\\0]|\/\/|\/\.{1,2}(\/|$)/.test(decoded);
  } catch {
    return false;
  }
}

/**
 * The path as it is logged: without the query, and without the token of an invitation or password link.
 * @returns undefined for an ambiguous path, because it may hide a token
 */
export function loggedPath(url: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  if (!isUnambiguous(path)) return undefined;
  return decodeURIComponent(path).replace(/^\/(invite|reset)\/.*$/is, "/$1/…");
}

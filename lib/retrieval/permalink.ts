/** A result, or the part of one that its URL depends on. */
interface Located {
  id: string;
  payload: { metadata: Record<string, unknown> };
}

/**
 * Where a person can read a result: the source's own `metadata.url` if it is a web URL, else the page of the chunk in
 * the dashboard, which needs a session.
 * @param publicUrl without a trailing slash
 */
export function permalinkOf({ id, payload }: Located, publicUrl: string): string {
  const { url } = payload.metadata;
  const own = typeof url === "string" ? URL.parse(url) : null;
  if (own && ["http:", "https:"].includes(own.protocol)) return own.href;
  return `${publicUrl}/knowledge/chunks/${id}`;
}

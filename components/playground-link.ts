/** In characters of a URL. The server refuses requests with long URLs and headers. */
const SENT_MAX = 2_000;

/**
 * URL of the playground with a question filled in. A long question is in the fragment, which browsers do not send to the
 * server.
 */
export function playgroundLink(question: string): string {
  const params = new URLSearchParams({ q: question }).toString();
  return `/playground${params.length > SENT_MAX ? "#" : "?"}${params}`;
}

/** The question in the fragment of such a URL, which begins with `#`; null if there is none. */
export function questionOfFragment(fragment: string): string | null {
  return new URLSearchParams(fragment.slice(1)).get("q");
}

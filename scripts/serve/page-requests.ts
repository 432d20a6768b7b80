import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ErrorName } from "../../lib/errors.ts";

/** Whether a page calls an action, which Next.js marks with a header. */
export function isAction({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && "next-action" in headers;
}

/**
 * Returns why a request is refused before it reaches a page, or null. No page accepts forms: scripts send actions as
 * JSON and files as raw bodies. Next.js would parse any form, and answer 500 if it cannot.
 */
export function pageRefusal(request: IncomingMessage): [ErrorName, string] | null {
  const { method, headers } = request;
  if (method === "POST" && /^\s*multipart\/form-data/i.test(headers["content-type"] ?? "")) {
    return ["BadRequest", "Pages do not accept multipart forms. Send the file itself as the body."];
  }
  if (isAction(request) && isForeign(headers)) return ["Forbidden", "This request comes from a page of another site."];
  return null;
}

/** Same rule as in Next.js: the origin that the browser sends must match the host, or the one that a proxy forwards. */
function isForeign({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false;
  const forwarded = String(headers["x-forwarded-host"] ?? "")
    .split(",", 1)[0]
    ?.trim();
  return !URL.canParse(origin) || new URL(origin).host !== (forwarded || host);
}

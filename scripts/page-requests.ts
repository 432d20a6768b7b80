import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ErrorName } from "../lib/errors.ts";

/** Whether a page's script calls one of its actions; the header is the framework's. */
export function isAction({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && "next-action" in headers;
}

/**
 * Why a request is refused before a page sees it; null when it is not. No page takes a form: their scripts send actions as
 * JSON and files as they are. The framework would parse any form, and answer what it cannot parse with 500.
 */
export function pageRefusal(request: IncomingMessage): [ErrorName, string] | null {
  const { method, headers } = request;
  if (method === "POST" && /^\s*multipart\/form-data/i.test(headers["content-type"] ?? "")) {
    return ["BadRequest", "Pages take no multipart forms. Send a file as the body itself."];
  }
  if (isAction(request) && isForeign(headers)) return ["Forbidden", "This request comes from a page of another site."];
  return null;
}

/** As the framework decides it: a browser names the origin of the page that asks, and a proxy the host that was asked. */
function isForeign({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false;
  const forwarded = String(headers["x-forwarded-host"] ?? "")
    .split(",", 1)[0]
    ?.trim();
  return !URL.canParse(origin) || new URL(origin).host !== (forwarded || host);
}

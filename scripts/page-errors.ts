import { AsyncLocalStorage } from "node:async_hooks";
import { log } from "../lib/log.ts";
import type { Handle } from "./http-server.ts";

const requests = new AsyncLocalStorage<string>();

/**
 * Gives a page's error the id of its request, in the log and on the page. The framework reports such an error by
 * `console.error` alone, and sends as its digest what the error holds then.
 */
export function withRequestIds(handle: Handle): Handle {
  const print = console.error;
  console.error = (...said: unknown[]) => {
    const requestId = requests.getStore();
    const error = said.find((part) => part instanceof Error);
    if (!requestId || !error) return print(...said);
    // rendered again for the browser's HTML, it is the same error
    if ("digest" in error && error.digest === requestId) return;
    // what the framework goes on without it says in words, an error of a page by a mark
    const words = said.find((part) => typeof part === "string" && /\w/.test(part));
    if (typeof words === "string") return log().warn({ requestId, err: error }, words);
    Object.assign(error, { digest: requestId });
    log().error({ requestId, err: error }, "page failed");
  };
  return (request, response) => requests.run(String(request.headers["x-request-id"]), () => handle(request, response));
}

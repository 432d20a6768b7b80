import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { log } from "../../lib/log.ts";
import { outageOf } from "../../lib/outage/outage.ts";
import type { Handle } from "./http-server.ts";
import { isAction } from "./page-requests.ts";

interface PageRequest {
  id: string;
  action: boolean;
  response: ServerResponse;
}

const requests = new AsyncLocalStorage<PageRequest>();
const RETRY_AFTER_SECONDS = 2;

/**
 * Gives a page's error its request id, in the log and on the page, and an outage its status. Next.js reports an error
 * only to `console.error`, sends the `digest` that the error has afterwards to the browser, and answers 500.
 */
export function withRequestIds(handle: Handle): Handle {
  const print = console.error;
  console.error = (...args: unknown[]) => {
    const request = requests.getStore();
    const error = args.find((part) => part instanceof Error);
    if (!request || !error) return print(...args);
    const requestId = request.id;
    // already logged: Next.js reports the error again when it renders the HTML
    if ("digest" in error && error.digest === requestId) return;
    // Next.js adds words to errors that it recovers from, but only a symbol to errors of a page
    const words = args.find((part) => typeof part === "string" && /\w/.test(part));
    if (typeof words === "string") return log().warn({ requestId, err: error }, words);
    Object.assign(error, { digest: requestId });
    const status = bodyStatus(request, error) ?? outageStatus(error);
    if (status === null) return log().error({ requestId, err: error }, "page failed");
    replaceStatus(request.response, status);
    if (status < 500) log().warn({ requestId, status }, "action refused: its body cannot be read");
    else log().error({ requestId, status, error: error.message }, "page failed");
  };
  const warn = console.warn;
  console.warn = (...args: unknown[]) => {
    const request = requests.getStore();
    const error = args.find((part) => part instanceof Error);
    if (!request || !error) return warn(...args);
    // such as an unknown action: any caller can cause it, so log one line without a stack
    log().warn({ requestId: request.id }, error.message.split("\n", 1)[0]);
  };
  return (request, response) => {
    const id = String(request.headers["x-request-id"]);
    return requests.run({ id, action: isAction(request), response }, () => handle(request, response));
  };
}

/** Actions catch their own errors, so any other error comes from parsing the body, and is the caller's fault. */
function bodyStatus({ action, response }: PageRequest, error: Error): number | null {
  if (!action || response.statusCode !== 500) return null;
  return "statusCode" in error && error.statusCode === 413 ? 413 : 400;
}

/** Bundled pages have their own copies of the error classes, so errors are recognised by name. */
function outageStatus(error: Error): number | null {
  const status = error.name === "AppError" && "statusCode" in error ? error.statusCode : outageOf(error)?.statusCode;
  return status === 503 || status === 507 ? status : null;
}

/** Replaces a status of 500, unless the headers have been sent. */
function replaceStatus(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  const { writeHead } = response;
  Object.assign(response, {
    writeHead: (given: number, ...rest: unknown[]) => {
      if (given !== 500) return Reflect.apply(writeHead, response, [given, ...rest]);
      if (status === 503) response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
      return Reflect.apply(writeHead, response, [status, ...rest]);
    },
  });
}

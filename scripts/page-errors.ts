import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { log } from "../lib/log.ts";
import { outageOf } from "../lib/outage.ts";
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
 * Gives a page's error the id of its request, in the log and on the page, and an outage its status. The framework reports
 * such an error by `console.error` alone, sends as its digest what the error holds then, and answers 500.
 */
export function withRequestIds(handle: Handle): Handle {
  const print = console.error;
  console.error = (...said: unknown[]) => {
    const request = requests.getStore();
    const error = said.find((part) => part instanceof Error);
    if (!request || !error) return print(...said);
    const requestId = request.id;
    // rendered again for the browser's HTML, it is the same error
    if ("digest" in error && error.digest === requestId) return;
    // what the framework goes on without it says in words, an error of a page by a mark
    const words = said.find((part) => typeof part === "string" && /\w/.test(part));
    if (typeof words === "string") return log().warn({ requestId, err: error }, words);
    Object.assign(error, { digest: requestId });
    const status = bodyStatus(request, error) ?? outageStatus(error);
    if (status === null) return log().error({ requestId, err: error }, "page failed");
    answerWith(request.response, status);
    if (status < 500) log().warn({ requestId, status }, "action refused: its body cannot be read");
    else log().error({ requestId, status, error: error.message }, "page failed");
  };
  const warn = console.warn;
  console.warn = (...said: unknown[]) => {
    const request = requests.getStore();
    const error = said.find((part) => part instanceof Error);
    if (!request || !error) return warn(...said);
    // such as an action that no page has: anybody can cause it, so it gets one line and no stack
    log().warn({ requestId: request.id }, error.message.split("\n", 1)[0]);
  };
  return (request, response) => {
    const id = String(request.headers["x-request-id"]);
    return requests.run({ id, action: isAction(request), response }, () => handle(request, response));
  };
}

/** An action of ours answers its own errors: what fails before it runs is its body, which anybody can send. */
function bodyStatus({ action, response }: PageRequest, error: Error): number | null {
  if (!action || response.statusCode !== 500) return null;
  return "statusCode" in error && error.statusCode === 413 ? 413 : 400;
}

/** The pages are bundled with error classes of their own, so their errors are told by name. */
function outageStatus(error: Error): number | null {
  const status = error.name === "AppError" && "statusCode" in error ? error.statusCode : outageOf(error)?.statusCode;
  return status === 503 || status === 507 ? status : null;
}

/** Replaces the framework's 500, unless the page has begun to be sent. */
function answerWith(response: ServerResponse, status: number): void {
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

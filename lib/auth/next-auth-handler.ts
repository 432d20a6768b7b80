import NextAuth from "next-auth";
import { env } from "../env.ts";
import { requestIdOf } from "../http/request-log.ts";
import { readAuthRequest } from "./auth-request.ts";
import { authOptions } from "./options.ts";
import { actionError } from "./run-action.ts";

/** By which the library's browser client reports its errors. */
const REPORT_ACTION = "_log";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/**
 * Handles the routes of the sign-in library. The library answers 401 for every error of a sign-in, and hides one of a
 * sign-out; this handler gives rate limits and outages their own status, in the format of the library's browser client.
 * It refuses large and malformed bodies before the library reads them, and writes nothing that a browser reports to the
 * log, because anyone could fill the log with it.
 */
export async function handleAuth(request: Request, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  if (nextauth[0] === REPORT_ACTION) return new Response(null, { status: 204 });
  return readAuthRequest(request).then(
    (readRequest) => callLibrary(readRequest, context),
    (error: unknown) => refuse(request, error),
  );
}

async function callLibrary(request: Request, context: Context): Promise<Response> {
  const failures: unknown[] = [];
  const options = authOptions({ headers: request.headers, onFailure: (error) => failures.push(error) });
  const handle: (request: Request, context: Context) => Promise<Response> = NextAuth(options);
  const response = await handle(request, context);
  const [error] = failures;
  return error === undefined ? response : refuse(request, error);
}

function refuse(request: Request, error: unknown): Response {
  const requestId = requestIdOf(request.headers);
  const refusal = actionError(error, {
    name: new URL(request.url).pathname.endsWith("/signout") ? "sign-out" : "sign-in",
    requestId,
  });
  const { statusCode, message } = refusal;
  // the library's browser client reads the message from the URL
  const url = `${env().publicUrl}/sign-in?${new URLSearchParams({ error: message })}`;
  return Response.json(
    { statusCode, error: refusal.error, message, url },
    { status: statusCode, headers: { ...refusal.headers, "Cache-Control": "no-store" } },
  );
}

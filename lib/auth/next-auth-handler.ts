import NextAuth from "next-auth";
import { env } from "../env.ts";
import { requestIdOf } from "../http/request-log.ts";
import { authOptions } from "./options.ts";
import { actionError } from "./run-action.ts";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/**
 * Handles the routes of the sign-in library. The library answers 401 for every error of a sign-in, and hides one of a
 * sign-out; this handler gives rate limits and outages their own status, in the format of the library's browser client.
 */
export async function handleAuth(request: Request, context: Context): Promise<Response> {
  const failures: unknown[] = [];
  const options = authOptions({ headers: request.headers, onFailure: (error) => failures.push(error) });
  const handle: (request: Request, context: Context) => Promise<Response> = NextAuth(options);
  const response = await handle(request, context);
  const [error] = failures;
  return error === undefined ? response : refuse(request, error);
}

function refuse(request: Request, error: unknown): Response {
  const requestId = requestIdOf(request.headers);
  const { message, statusCode, headers } = actionError(error, {
    name: new URL(request.url).pathname.endsWith("/signout") ? "sign-out" : "sign-in",
    requestId,
  });
  const url = `${env().publicUrl}/sign-in?${new URLSearchParams({ error: message })}`;
  return Response.json({ url, message }, { status: statusCode, headers: { ...headers, "Cache-Control": "no-store" } });
}

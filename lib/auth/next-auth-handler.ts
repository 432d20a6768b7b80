import { randomUUID } from "node:crypto";
import NextAuth from "next-auth";
import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { outageOf } from "../outage/outage.ts";
import { authOptions } from "./options.ts";
import { failure } from "./run-action.ts";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/**
 * Handles the routes of the sign-in library. The library answers 401 for every error of a sign-in; this handler gives
 * rate limits and outages their own status, in the format of the library's browser client.
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
  const requestId = request.headers.get("x-request-id") ?? randomUUID();
  const { error: message } = failure(error, { name: "sign-in", requestId });
  const known = error instanceof AppError ? error : outageOf(error);
  const url = `${env().publicUrl}/sign-in?${new URLSearchParams({ error: message })}`;
  const headers = { ...known?.headers, "Cache-Control": "no-store" };
  return Response.json({ url, message }, { status: known?.statusCode ?? 500, headers });
}

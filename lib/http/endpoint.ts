import type { z } from "zod";
import type { AuthenticatedKey } from "../api-keys/authenticate.ts";
import { parseInput } from "../errors.ts";
import { admit, type Trace } from "./admit.ts";
import { readJsonObject } from "./body.ts";
import { nameList } from "./headers.ts";

/** Handles one method of one path; throws an AppError for every status but 200. */
export type Endpoint = (request: Request, trace: Trace) => Promise<unknown>;

interface Call {
  requestId: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
}

interface Reply<Body> {
  body: Body;
  headers?: Record<string, string>;
}

/** An endpoint without authentication. */
export function openEndpoint<Answer>(options: {
  response: z.ZodType<unknown, Answer>;
  handler(call: Call): Promise<Reply<Answer>>;
}): Endpoint {
  return async (request, trace) => {
    const reply = await options.handler({ requestId: trace.requestId, signal: request.signal });
    return validateReply(options.response, reply, trace);
  };
}

/** An endpoint for valid keys of companies with an active subscription, without a body. */
export function keyEndpoint<Answer>(options: {
  response: z.ZodType<unknown, Answer>;
  handler(call: Call & { key: AuthenticatedKey }): Promise<Reply<Answer>>;
}): Endpoint {
  return async (request, trace) => {
    const key = await admit(request, trace);
    const reply = await options.handler({ requestId: trace.requestId, signal: request.signal, key });
    return validateReply(options.response, reply, trace);
  };
}

/** An endpoint for valid keys, with a JSON body. Fields that the schema does not know are named in a header. */
export function keyBodyEndpoint<Body extends z.ZodObject, Answer>(options: {
  body: Body;
  response: z.ZodType<unknown, Answer>;
  handler(call: Call & { key: AuthenticatedKey; body: z.output<Body> }): Promise<Reply<Answer>>;
}): Endpoint {
  return async (request, trace) => {
    const key = await admit(request, trace);
    const given = await readJsonObject(request);
    setHeaders(trace, ignoredFields(given, options.body));
    const body = parseInput(options.body, given);
    const reply = await options.handler({ requestId: trace.requestId, signal: request.signal, key, body });
    return validateReply(options.response, reply, trace);
  };
}

/** Checks the response against its schema: a mismatch is our bug and becomes a 500. */
function validateReply<Answer>(schema: z.ZodType<unknown, Answer>, reply: Reply<Answer>, trace: Trace): unknown {
  setHeaders(trace, reply.headers ?? {});
  return schema.parse(reply.body);
}

function setHeaders(trace: Trace, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) trace.headers.set(name, value);
}

function ignoredFields(given: object, schema: z.ZodObject): Record<string, string> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schema.shape, name));
  return nameList("X-Ragstone-Ignored-Fields", unknown);
}

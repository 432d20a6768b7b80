import type { z } from "zod";
import type { AuthenticatedKey } from "../api-keys/authenticate.ts";
import { parseInput } from "../errors.ts";
import { cleanText } from "../text.ts";
import { admit, type Trace } from "./admit.ts";
import { readJsonObject } from "./body.ts";

/** What answers one method of one path; it throws for every answer but 200. */
export type Endpoint = (request: Request, trace: Trace) => Promise<unknown>;

interface Call {
  requestId: string;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
}

interface Reply<Body> {
  body: Body;
  headers?: Record<string, string>;
}

/** Open to anyone. */
export function openEndpoint<Answer>(options: {
  response: z.ZodType<unknown, Answer>;
  handler(call: Call): Promise<Reply<Answer>>;
}): Endpoint {
  return async (request, trace) => {
    const reply = await options.handler({ requestId: trace.requestId, signal: request.signal });
    return checked(options.response, reply, trace);
  };
}

/** For a valid key of a company that is served; without a body. */
export function keyEndpoint<Answer>(options: {
  response: z.ZodType<unknown, Answer>;
  handler(call: Call & { key: AuthenticatedKey }): Promise<Reply<Answer>>;
}): Endpoint {
  return async (request, trace) => {
    const key = await admit(request, trace);
    const reply = await options.handler({ requestId: trace.requestId, signal: request.signal, key });
    return checked(options.response, reply, trace);
  };
}

/** For a valid key, with a JSON body. Fields that the body's schema does not know are named in a header. */
export function keyBodyEndpoint<Body extends z.ZodObject, Answer>(options: {
  body: Body;
  response: z.ZodType<unknown, Answer>;
  handler(call: Call & { key: AuthenticatedKey; body: z.output<Body> }): Promise<Reply<Answer>>;
}): Endpoint {
  return async (request, trace) => {
    const key = await admit(request, trace);
    const given = await readJsonObject(request);
    nameIgnoredFields(given, options.body, trace.headers);
    const body = parseInput(options.body, given);
    const reply = await options.handler({ requestId: trace.requestId, signal: request.signal, key, body });
    return checked(options.response, reply, trace);
  };
}

/** The contract holds for what goes out, too: anything else is our fault and a 500. */
function checked<Answer>(schema: z.ZodType<unknown, Answer>, reply: Reply<Answer>, trace: Trace): unknown {
  for (const [name, value] of Object.entries(reply.headers ?? {})) trace.headers.set(name, value);
  return schema.parse(reply.body);
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

function nameIgnoredFields(given: object, schema: z.ZodObject, headers: Headers): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schema.shape, name));
  if (unknown.length === 0) return;
  // a header holds few characters, and a field's name may hold any
  const names = unknown
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(cleanText(name.slice(0, MAX_NAME_LENGTH))));
  headers.set("X-Ragstone-Ignored-Fields", names.join(", "));
}

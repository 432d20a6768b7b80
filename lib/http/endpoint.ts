import { z } from "zod";
import { type AuthenticatedKey, keyActor } from "../api-keys/authenticate.ts";
import type { Actor } from "../audit/record.ts";
import type { KeyScope } from "../db/column-values.ts";
import { type CompanyId, type TenantScope, tenantScope } from "../db/tenant.ts";
import { AppError, NO_SUCH_PATH, parseInput } from "../errors.ts";
import { admit, admitAgain, type Trace } from "./admit.ts";
import type { ApiRequest } from "./api-request.ts";
import { readJsonObject } from "./body.ts";
import { nameList } from "./headers.ts";
import { queryOf } from "./query-of.ts";

/** When a body took longer to arrive, its key is checked again. */
const SLOW_BODY_MS = 1_000;

/** Records an error that is not thrown, and returns the one that the caller may see. */
export type Refuse = (error: unknown) => AppError;

/** Handles one method of one path. Throws an AppError for every error. */
export type Endpoint = (request: ApiRequest, params: unknown, trace: Trace, refuse: Refuse) => Promise<Reply<unknown>>;

/** Who may call: anyone, or a key that has this scope. */
type Access = "public" | KeyScope;

/** A response without an error. The status is 200 unless the reply says otherwise. */
export type Reply<Answer> = { headers?: Record<string, string> } & (
  | { status?: 200 | 201 | 202; body: Answer }
  | { status: 204 }
  | { status?: number; stream: ReadableStream<Uint8Array> | null; headers: Record<string, string> }
);

interface Call<Allowed extends Access, Params, Query, Body> {
  key: Allowed extends "public" ? null : AuthenticatedKey;
  /** The key's company, for services. */
  scope: Allowed extends "public" ? null : TenantScope;
  /** The key as the actor of what the request changes. */
  actor: Allowed extends "public" ? null : Actor;
  params: Params;
  query: Query;
  body: Body;
  /** Names fields that the API does not know in `X-Ragstone-Ignored-Fields`, beside those of query and body. */
  ignore(fields: readonly string[]): void;
  /** Checks the key again, after a body that the handler reads. */
  recheck(): Promise<void>;
  /** For an error after the response has started, or inside a response with status 200. */
  refuse: Refuse;
  requestId: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** For headers, and for bodies that are not JSON. */
  request: ApiRequest;
}

interface Declaration<Allowed extends Access, Params, Query, Body, Answer> {
  access: Allowed;
  /** Whether calls ask a question. By default, those with the scope `retrieve` do. */
  asks?: boolean;
  /** The error for a company with too many waiting requests, else null. */
  capacityRefusal?: (companyId: CompanyId) => AppError | null;
  /** Schema of the path's parameters. Values that do not match give 404. */
  params?: z.ZodType<Params>;
  /** Schema of the query string. A repeated name gives an array. */
  query?: z.ZodType<Query>;
  /** Schema of the JSON body. Without it, the body is not read. */
  body?: z.ZodType<Body>;
  /** Has the fields that the body may have, if its own schema reads a part of them later. */
  bodyFields?: z.ZodType;
  /** The largest JSON body, 1 MiB by default. */
  bodyBytesMax?: number;
  /** The field of the body that the lines of an `application/x-ndjson` body become. */
  linesField?: string;
  handler(call: Call<Allowed, Params, Query, Body>): Promise<Reply<Answer>>;
}

interface Answering<Answer> {
  /** Schema of the JSON response. A mismatch is our bug and becomes a 500. */
  response: z.ZodType<unknown, Answer>;
}

/**
 * Declares one method of one path. The checks run in this order: key, subscription, rate limit, scope, capacity, path
 * parameters, query, body. Fields of query and body that their schemas do not know are named in
 * `X-Ragstone-Ignored-Fields`.
 */
export function endpoint<Answer, Allowed extends Access, Params = undefined, Query = undefined, Body = undefined>(
  declaration: Declaration<Allowed, Params, Query, Body, Answer> & Answering<Answer>,
): Endpoint;
export function endpoint<Allowed extends Access, Params = undefined, Query = undefined, Body = undefined>(
  declaration: Declaration<Allowed, Params, Query, Body, never>,
): Endpoint;
export function endpoint(
  declaration: Declaration<Access, unknown, unknown, unknown, unknown> & Partial<Answering<unknown>>,
): Endpoint {
  const { access, capacityRefusal, params, query, body, bodyFields, bodyBytesMax, linesField, response, handler } =
    declaration;
  const { asks = access === "retrieve" } = declaration;
  return async (request, path, trace, refuse) => {
    trace.asks = asks;
    const key = access === "public" ? null : await admit(request, { scope: access, capacityRefusal }, trace);
    let ignored: string[] = [];
    const ignore = (fields: readonly string[]) => {
      ignored = ignored.concat(fields);
      for (const [name, value] of Object.entries(nameList("X-Ragstone-Ignored-Fields", ignored))) {
        trace.headers.set(name, value);
      }
    };
    const parse = (schema: z.ZodType, given: object, fields = schema) => {
      ignore(unknownFields(fields, given));
      return parseInput(schema, given);
    };
    const recheck = async () => {
      if (access !== "public") await admitAgain(request, access);
    };
    const read = async () => {
      const started = performance.now();
      const given = await readJsonObject(request, { bytesMax: bodyBytesMax, linesField });
      if (performance.now() - started > SLOW_BODY_MS) await recheck();
      return given;
    };
    const reply = await handler({
      key,
      scope: key && tenantScope(key.companyId),
      actor: key && keyActor(key),
      params: params && parsePath(params, path),
      query: query && parse(query, queryOf(request)),
      body: body && parse(body, await read(), bodyFields),
      ignore,
      recheck,
      refuse,
      requestId: trace.ids.requestId,
      signal: request.signal,
      request,
    });
    return "body" in reply ? { ...reply, body: response?.parse(reply.body) } : reply;
  };
}

/** The error of a path that does not exist. */
export function noSuchPath(): AppError {
  return new AppError("NotFound", NO_SUCH_PATH);
}

function parsePath(schema: z.ZodType, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw noSuchPath();
  return parsed.data;
}

/** The names of fields that a schema drops; nested ones by their path. Strict objects refuse theirs. */
function unknownFields(schema: z.core.$ZodType, given: unknown, path = ""): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unknownFields(schema.unwrap(), given, path);
  }
  if (schema instanceof z.ZodPipe) return unknownFields(schema.in, given, path);
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(given)) return [];
    return given.flatMap((each, index) => unknownFields(schema.element, each, `${path}${index}.`));
  }
  if (typeof given !== "object" || given === null) return [];
  const options = schema instanceof z.ZodDiscriminatedUnion ? optionsFor(schema, given) : [schema];
  const objects = options.flatMap((option) => (option instanceof z.ZodObject && !option.def.catchall ? [option] : []));
  if (objects.length === 0) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const [known] = objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name]] : []));
    return known ? unknownFields(known, value, `${path}${name}.`) : path + name;
  });
}

/** The options of a union that are of the given kind, all of them if none is. */
function optionsFor({ options, def }: z.ZodDiscriminatedUnion, given: object): readonly z.core.$ZodType[] {
  const kind: unknown = Reflect.get(given, def.discriminator);
  const ofKind = options.filter((option) => {
    const kinds = option instanceof z.ZodObject ? option.shape[def.discriminator] : undefined;
    return kinds && z.safeParse(kinds, kind).success;
  });
  return ofKind.length > 0 ? ofKind : options;
}

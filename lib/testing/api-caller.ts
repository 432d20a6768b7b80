import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { KeyScope } from "../db/column-values.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";

interface Sent {
  /** Sent as JSON, unless it is bytes or a text. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A response with its parsed JSON body; the text of other bodies. */
interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Caller = <Body = Record<string, unknown>>(
  method: string,
  path: string,
  sent?: Sent,
) => Promise<Answer<Body>>;

/** Calls the API at `url` with a new key of the company. Paths start below `/v1/api`. */
export async function apiCaller(
  url: string,
  scope: TenantScope,
  { scopes, policy = {} }: { scopes: KeyScope[]; policy?: KeyPolicy },
): Promise<Caller> {
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "Test key", scopes, policy, rateLimitPerMinute: 0 });
  return async (method, path, { body, headers = {}, signal } = {}) => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
    const type: Record<string, string> = body === undefined || isRaw ? {} : { "Content-Type": "application/json" };
    const response = await fetch(`${url}/v1/api${path}`, {
      method,
      body: isRaw ? (body as BodyInit) : body === undefined ? null : JSON.stringify(body),
      headers: { Authorization: `Bearer ${token}`, ...type, ...headers },
      ...(signal && { signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}

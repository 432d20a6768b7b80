import type { KeyActor } from "../audit/record.ts";
import type { KeyScope } from "../db/column-values.ts";
import { keyByHash } from "../db/system/keys.ts";
import { AppError } from "../errors.ts";
import { hashToken, isToken, maskToken } from "./key.ts";
import { isLive, keyStatus } from "./status.ts";

const BEARER = /^\s*bearer(?:\s+(.*))?$/is;

type Found = NonNullable<Awaited<ReturnType<typeof keyByHash>>>;

/** A live key, with the data of its company that a request needs. */
export interface AuthenticatedKey {
  id: string;
  name: string;
  companyId: string;
  maskedToken: string;
  policy: Found["key"]["policy"];
  scopes: readonly KeyScope[];
  rateLimitPerMinute: number | null;
  lastUsedAt: Date | null;
  subscription: Found["subscription"];
  /** What the company's searches return at the time of the request. */
  content: Found["content"];
}

/**
 * Finds the key of an `Authorization` header. A missing, malformed, unknown, expired or revoked key gives the same
 * message.
 * @throws {AppError} Unauthorized; errors of the database pass unchanged, so that an outage never looks like a bad key
 */
export async function authenticateKey(authorization: string | null, now = new Date()): Promise<AuthenticatedKey> {
  const token = BEARER.exec(authorization ?? "")?.[1]?.trim();
  if (!token) throw unauthorized("Bearer");
  const found = isToken(token) ? await keyByHash(hashToken(token)) : null;
  if (!found || !isLive(keyStatus(found.key, now))) throw unauthorized('Bearer error="invalid_token"');
  const { id, name, companyId, last4, policy, scopes, rateLimitPerMinute, lastUsedAt } = found.key;
  return {
    id,
    name,
    companyId,
    maskedToken: maskToken(last4),
    policy,
    scopes,
    rateLimitPerMinute,
    lastUsedAt,
    subscription: found.subscription,
    content: found.content,
  };
}

/** The key as the actor of what its request changes. */
export function keyActor({ id, name, companyId, scopes, policy }: AuthenticatedKey): KeyActor {
  return { type: "api_key", id, name, companyId, scopes, policy };
}

function unauthorized(challenge: string): AppError {
  return new AppError("Unauthorized", "API key is invalid or expired", { headers: { "WWW-Authenticate": challenge } });
}

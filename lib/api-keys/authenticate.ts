import { keyByHash } from "../db/system/keys.ts";
import { AppError } from "../errors.ts";
import { hashToken, isToken, maskToken } from "./key.ts";
import { isLive } from "./status.ts";

const BEARER = /^\s*bearer(?:\s+(.*))?$/is;

type Found = NonNullable<Awaited<ReturnType<typeof keyByHash>>>;

/** A key that works now, with what a request needs to know of its company. */
export interface AuthenticatedKey {
  id: string;
  name: string;
  companyId: string;
  maskedToken: string;
  policy: Found["key"]["policy"];
  rateLimitPerMinute: number | null;
  lastUsedAt: Date | null;
  subscription: Found["subscription"];
}

/**
 * Who asks, by the `Authorization` header: one message for a missing, malformed, unknown, expired and revoked key.
 * @throws {AppError} Unauthorized; an error of the database passes as it is, so that an outage never looks like a bad key
 */
export async function authenticateKey(authorization: string | null, now = new Date()): Promise<AuthenticatedKey> {
  const token = BEARER.exec(authorization ?? "")?.[1]?.trim();
  if (!token) throw unauthorized("Bearer");
  const found = isToken(token) ? await keyByHash(hashToken(token)) : null;
  if (!found || !isLive(found.key, now)) throw unauthorized('Bearer error="invalid_token"');
  const { id, name, companyId, last4, policy, rateLimitPerMinute, lastUsedAt } = found.key;
  const maskedToken = maskToken(last4);
  return { id, name, companyId, maskedToken, policy, rateLimitPerMinute, lastUsedAt, subscription: found.subscription };
}

function unauthorized(challenge: string): AppError {
  return new AppError("Unauthorized", "API key is invalid or expired", { headers: { "WWW-Authenticate": challenge } });
}

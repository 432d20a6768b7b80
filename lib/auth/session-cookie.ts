import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { env } from "../env.ts";
import { type AuthenticatedUser, endSession, SESSION_SECONDS, startSession } from "../members/sessions.ts";
import { authSecret } from "./secret.ts";

/** Claims of the session's JWT: the user, the session's row, and the chosen company. */
const sessionClaims = z.object({ sub: z.uuid(), sessionId: z.uuid(), companyId: z.uuid().nullable() });

export interface Session {
  /** Id of the session's row, which must still exist. */
  id: string;
  userId: string;
  companyId: string | null;
}

export function secureCookies(): boolean {
  return env().publicUrl.startsWith("https:");
}

/** The name that next-auth gives the cookie. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

/**
 * Reads the session of the request; null without a valid one. A session identifies the user but does not grant
 * permissions.
 */
export async function readSession(): Promise<Session | null> {
  const token = (await cookies()).get(sessionCookieName())?.value;
  return token ? openSession(token) : null;
}

export async function openSession(token: string): Promise<Session | null> {
  const claims = await decode({ token, secret: authSecret() }).catch(() => null);
  return sessionOf(claims);
}

/** The session of decoded claims; null when the claims have another format. */
export function sessionOf(claims: unknown): Session | null {
  const parsed = sessionClaims.safeParse(claims);
  if (!parsed.success) return null;
  const { sub, sessionId, companyId } = parsed.data;
  return { id: sessionId, userId: sub, companyId };
}

/** The claims of a session, in the format that `sessionOf` reads. */
export function claimsOf({ id, userId, companyId }: Session): z.input<typeof sessionClaims> {
  return { sub: userId, sessionId: id, companyId };
}

export async function sealSession(session: Session): Promise<string> {
  return encode({ token: claimsOf(session), secret: authSecret(), maxAge: SESSION_SECONDS });
}

/** Signs in on this browser and ends the previous session, if there is one. Only in actions. */
export async function beginSession({
  companyId,
  ...authenticated
}: AuthenticatedUser & Pick<Session, "companyId">): Promise<void> {
  await writeSession({ id: await replaceSession(authenticated), userId: authenticated.userId, companyId });
}

/**
 * Starts a session and ends the one that the request's cookie belongs to.
 * @returns its id, for the cookie
 */
export async function replaceSession(authenticated: AuthenticatedUser): Promise<string> {
  const before = await readSession();
  const id = await startSession(authenticated);
  if (before) await endSession(before.id);
  return id;
}

/** Writes the session to the cookie, for example with another company. Only in actions. */
export async function writeSession(session: Session): Promise<void> {
  (await cookies()).set(sessionCookieName(), await sealSession(session), {
    httpOnly: true,
    sameSite: "lax",
    secure: secureCookies(),
    path: "/",
    maxAge: SESSION_SECONDS,
  });
}

/** Signs out on this browser. Only in actions. */
export async function clearSession(): Promise<void> {
  const session = await readSession();
  // first, because without the cookie nobody could try again
  if (session) await withDatabaseTimeout(endSession(session.id));
  (await cookies()).delete({ name: sessionCookieName(), path: "/", secure: secureCookies() });
}

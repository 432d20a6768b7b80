import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { env } from "../env.ts";
import { authSecret } from "./secret.ts";

export const SESSION_SECONDS = 30 * 86_400;

/** What the session's JWT carries: who, which version of their sessions, and the company that they chose. */
const sessionClaims = z.object({ sub: z.uuid(), version: z.int(), companyId: z.uuid().nullable() });

export interface Session {
  userId: string;
  /** Must equal the user's `sessionVersion`, which is raised to end every session. */
  version: number;
  companyId: string | null;
}

export function secureCookies(): boolean {
  return env().publicUrl.startsWith("https:");
}

/** As next-auth names it. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

/** The session of the request; null without a valid one. It says who came in, not what they may do now. */
export async function readSession(): Promise<Session | null> {
  const token = (await cookies()).get(sessionCookieName())?.value;
  return token ? openSession(token) : null;
}

export async function openSession(token: string): Promise<Session | null> {
  const claims = await decode({ token, secret: authSecret() }).catch(() => null);
  const parsed = sessionClaims.safeParse(claims);
  if (!parsed.success) return null;
  return { userId: parsed.data.sub, version: parsed.data.version, companyId: parsed.data.companyId };
}

export async function sealSession({ userId, version, companyId }: Session): Promise<string> {
  return encode({ token: { sub: userId, version, companyId }, secret: authSecret(), maxAge: SESSION_SECONDS });
}

/** Signs in, or changes the company, on this browser. In actions only. */
export async function writeSession(session: Session): Promise<void> {
  (await cookies()).set(sessionCookieName(), await sealSession(session), {
    httpOnly: true,
    sameSite: "lax",
    secure: secureCookies(),
    path: "/",
    maxAge: SESSION_SECONDS,
  });
}

/** Signs out on this browser. In actions only. */
export async function clearSession(): Promise<void> {
  (await cookies()).delete({ name: sessionCookieName(), path: "/", secure: secureCookies() });
}

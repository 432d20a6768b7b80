import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { system } from "../db/system.ts";
import { env } from "../env.ts";
import { messageOf } from "../errors.ts";
import { log } from "../log.ts";
import { endSession, SESSION_SECONDS, startSession } from "../members/sessions.ts";
import { signIn } from "../members/sign-in.ts";
import { authSecret } from "./secret.ts";
import { claimsOf, secureCookies, sessionOf } from "./session-cookie.ts";

export const OIDC_PROVIDER = "oidc";

const oidcProfile = z.object({
  sub: z.string(),
  email: z.string().toLowerCase(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
});

/** Sign-in by password, and by OpenID Connect when it is configured; sessions are encrypted JWTs in a cookie. */
export function authOptions(): NextAuthOptions {
  // the library reads its own address from here alone
  process.env.NEXTAUTH_URL = `${env().publicUrl}/api/auth`;
  return {
    secret: authSecret(),
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/" },
    providers: [passwordProvider(), ...oidcProvider()],
    callbacks: {
      async signIn({ account, profile }) {
        if (account?.provider !== OIDC_PROVIDER) return true;
        // members are invited: whoever the other side vouches for must be known here
        const parsed = oidcProfile.safeParse(profile);
        if (!parsed.success || parsed.data.email_verified === false) return false;
        return (await system.userByEmail(parsed.data.email)) !== null;
      },
      async jwt({ token, user }) {
        if (!user?.email) return token;
        const known = await system.userByEmail(user.email);
        if (!known) throw new Error("The user is gone");
        const id = await startSession({ userId: known.id, version: known.sessionVersion });
        return claimsOf({ id, userId: known.id, companyId: null });
      },
    },
    events: {
      async signOut({ token }) {
        const session = sessionOf(token);
        if (session) await endSession(session.id);
      },
    },
    logger: {
      error: (code, metadata) => log().error({ msg: "sign-in", code, error: reasonOf(metadata) }),
      warn: (code) => log().warn({ msg: "sign-in", code }),
      debug: () => undefined,
    },
  };
}

function passwordProvider() {
  return CredentialsProvider({
    id: "credentials",
    name: "Password",
    credentials: { email: { type: "email" }, password: { type: "password" } },
    authorize: async (given) => {
      const user = await signIn({ email: given?.email, password: given?.password });
      return user && { id: user.id, email: user.email, name: user.name };
    },
  });
}

function oidcProvider(): OAuthConfig<z.input<typeof oidcProfile>>[] {
  const { oidc } = env();
  if (!oidc) return [];
  return [
    {
      id: OIDC_PROVIDER,
      name: "Single sign-on",
      type: "oauth",
      wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      profile: (profile) => ({
        id: profile.sub,
        email: oidcProfile.parse(profile).email,
        name: profile.name ?? profile.email,
      }),
    },
  ];
}

/** What the library hands its logger has several shapes, some with what a person typed. */
function reasonOf(metadata: unknown): string {
  if (metadata instanceof Error) return metadata.message;
  const nested = z.object({ error: z.instanceof(Error) }).safeParse(metadata);
  return nested.success ? messageOf(nested.data.error) : "";
}

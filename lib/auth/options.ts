import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { env } from "../env.ts";
import { messageOf } from "../errors.ts";
import { log } from "../log.ts";
import { userOfIdentity } from "../members/identity.ts";
import { type AuthenticatedUser, endSession, SESSION_SECONDS } from "../members/sessions.ts";
import { signIn } from "../members/sign-in.ts";
import { limitAttempts } from "./limit-attempts.ts";
import { authSecret } from "./secret.ts";
import { claimsOf, replaceSession, secureCookies, sessionOf } from "./session-cookie.ts";

const OIDC_PROVIDER = "oidc";

declare module "next-auth" {
  interface User {
    /** Set for someone who has just signed in with a password. */
    authenticated?: AuthenticatedUser;
  }
}

interface AuthRequest {
  headers: Headers;
  /** Gets errors that the library would report as a wrong password, or not at all. */
  onFailure: (error: unknown) => void;
}

/** Options for sign-in by password, and by OpenID Connect when configured. Sessions are encrypted JWTs in a cookie. */
export function authOptions(request: AuthRequest): NextAuthOptions {
  // the library reads its own URL only from this variable
  process.env.NEXTAUTH_URL = `${env().publicUrl}/api/auth`;
  return {
    secret: authSecret(),
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/" },
    providers: [passwordProvider(request), ...oidcProvider()],
    callbacks: {
      // the library's own function fails on a text that is no URL
      redirect({ url, baseUrl }) {
        const target = URL.parse(url, baseUrl);
        return target?.origin === baseUrl ? target.href : baseUrl;
      },
      async signIn({ account, profile }) {
        if (account?.provider !== OIDC_PROVIDER) return true;
        const user = await userOfIdentity(profile);
        return typeof user === "string" ? `/sign-in?error=${user}` : true;
      },
      async jwt({ token, user, account, profile }) {
        // an existing session
        if (!account) return token;
        const authenticated =
          account.provider === OIDC_PROVIDER ? await authenticatedUserOf(profile) : user.authenticated;
        if (!authenticated) throw new Error("The user no longer exists");
        return claimsOf({ id: await replaceSession(authenticated), userId: authenticated.userId, companyId: null });
      },
    },
    events: {
      async signOut({ token }) {
        const session = sessionOf(token);
        // the library ignores errors here, and would delete the cookie of a session that goes on
        if (session) await withDatabaseTimeout(endSession(session.id)).catch(request.onFailure);
      },
    },
    logger: {
      error: (code, metadata) => log().error({ msg: "sign-in", code, error: reasonOf(metadata) }),
      warn: (code) => log().warn({ msg: "sign-in", code }),
      debug: () => undefined,
    },
  };
}

function passwordProvider({ headers, onFailure }: AuthRequest) {
  return CredentialsProvider({
    id: "credentials",
    name: "Password",
    credentials: { email: { type: "email" }, password: { type: "password" } },
    authorize: async (given) => {
      try {
        await limitAttempts("sign-in", headers);
        const user = await signIn({ email: given?.email, password: given?.password });
        return user && { id: user.id, authenticated: { userId: user.id, version: user.sessionVersion } };
      } catch (error) {
        onFailure(error);
        return null;
      }
    },
  });
}

async function authenticatedUserOf(profile: unknown): Promise<AuthenticatedUser | undefined> {
  const user = await userOfIdentity(profile);
  return typeof user === "string" ? undefined : { userId: user.id, version: user.sessionVersion };
}

function oidcProvider(): OAuthConfig<{ sub: string }>[] {
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
      profile: ({ sub }) => ({ id: sub }),
    },
  ];
}

/** The library passes its logger several shapes, some with text that a person typed; only error messages are logged. */
function reasonOf(metadata: unknown): string {
  if (metadata instanceof Error) return metadata.message;
  const nested = z.object({ error: z.instanceof(Error) }).safeParse(metadata);
  return nested.success ? messageOf(nested.data.error) : "";
}

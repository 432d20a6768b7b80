import { encode } from "next-auth/jwt";
import { beforeAll, expect, test } from "vitest";
import { authSecret } from "./secret.ts";
import { openSession, sealSession, sessionCookieName } from "./session-cookie.ts";

const session = { id: crypto.randomUUID(), userId: crypto.randomUUID(), companyId: crypto.randomUUID() };

beforeAll(() => {
  process.env.AUTH_SECRET = "a secret of this test alone";
});

test("a session is what was sealed, and only its server opens it", async () => {
  const token = await sealSession(session);
  expect(await openSession(token)).toEqual(session);
  expect(token).not.toContain(session.userId);
  expect(await openSession(`${token.slice(0, -2)}xx`)).toBeNull();
  expect(
    await openSession(await encode({ token: { sub: session.userId }, secret: "another server's secret" })),
  ).toBeNull();
  expect(await openSession("nonsense")).toBeNull();
});

test("a token without our claims, or past its time, is no session", async () => {
  const secret = authSecret();
  const claims = { sub: session.userId, sessionId: session.id, companyId: null };
  expect(await openSession(await encode({ token: { ...claims, companyId: undefined }, secret }))).toBeNull();
  expect(await openSession(await encode({ token: { ...claims, sub: "1" }, secret }))).toBeNull();
  // as earlier releases sealed it: no row that signing out could end
  const old = { sub: session.userId, version: 3, companyId: null };
  expect(await openSession(await encode({ token: old, secret }))).toBeNull();
  expect(await openSession(await encode({ token: claims, secret, maxAge: -60 }))).toBeNull();
  expect(await openSession(await encode({ token: claims, secret }))).toEqual({ ...session, companyId: null });
});

test("the cookie is named as its address allows", () => {
  expect(sessionCookieName()).toBe("next-auth.session-token");
});

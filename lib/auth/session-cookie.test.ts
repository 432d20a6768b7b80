import { encode } from "next-auth/jwt";
import { beforeAll, expect, test } from "vitest";
import { authSecret } from "./secret.ts";
import { openSession, sealSession, sessionCookieName } from "./session-cookie.ts";

const session = { id: crypto.randomUUID(), userId: crypto.randomUUID(), companyId: crypto.randomUUID() };

beforeAll(() => {
  process.env.AUTH_SECRET = "a secret of this test alone";
});

test("a session opens to the same values, and only on the server that sealed it", async () => {
  const token = await sealSession(session);
  expect(await openSession(token)).toEqual(session);
  expect(token).not.toContain(session.userId);
  // not the last character, some of whose bits mean nothing
  const changed = token.slice(0, -2) + (token.at(-2) === "A" ? "B" : "A") + token.slice(-1);
  expect(await openSession(changed)).toBeNull();
  expect(
    await openSession(await encode({ token: { sub: session.userId }, secret: "another server's secret" })),
  ).toBeNull();
  expect(await openSession("nonsense")).toBeNull();
});

test("a token that lacks our claims or has expired is not a session", async () => {
  const secret = authSecret();
  const claims = { sub: session.userId, sessionId: session.id, companyId: null };
  expect(await openSession(await encode({ token: { ...claims, companyId: undefined }, secret }))).toBeNull();
  expect(await openSession(await encode({ token: { ...claims, sub: "1" }, secret }))).toBeNull();
  // the format of earlier releases: there is no row that signing out could delete
  const old = { sub: session.userId, version: 3, companyId: null };
  expect(await openSession(await encode({ token: old, secret }))).toBeNull();
  expect(await openSession(await encode({ token: claims, secret, maxAge: -60 }))).toBeNull();
  expect(await openSession(await encode({ token: claims, secret }))).toEqual({ ...session, companyId: null });
});

test("the cookie's name depends on whether the URL uses HTTPS", () => {
  expect(sessionCookieName()).toBe("next-auth.session-token");
});

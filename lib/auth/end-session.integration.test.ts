import { beforeEach, expect, test, vi } from "vitest";
import { connect, connection, setConnection } from "../db/client.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { accountOf } from "./member.ts";
import { authOptions } from "./options.ts";
import {
  beginSession,
  claimsOf,
  clearSession,
  readSession,
  type Session,
  sessionCookieName,
} from "./session-cookie.ts";

testDatabase();

const jar = vi.hoisted(() => new Map<string, string>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (jar.has(name) ? { value: jar.get(name) } : undefined),
    set: (name: string, value: string) => void jar.set(name, value),
    delete: ({ name }: { name: string }) => void jar.delete(name),
  }),
}));

let session: Session;
beforeEach(async () => {
  jar.clear();
  const scope = await testCompany();
  const { id: userId } = await testMember(scope, "admin");
  await beginSession({ userId, version: 1, companyId: scope.companyId });
  const begun = await readSession();
  if (!begun) throw new Error("no session");
  session = begun;
});

async function withoutDatabase(work: () => Promise<unknown>): Promise<void> {
  const before = connection();
  const unreachable = connect({ url: "postgres://127.0.0.1:1/x" });
  setConnection(unreachable);
  try {
    await work();
  } finally {
    setConnection(before);
    await unreachable.close();
  }
}

test("while the database is unavailable, signing out keeps the cookie, so that it can be tried again", async () => {
  await withoutDatabase(() => expect(clearSession()).rejects.toThrow());
  expect(jar.has(sessionCookieName())).toBe(true);
  expect(await accountOf(session)).not.toBeNull();
  await clearSession();
  expect(jar.has(sessionCookieName())).toBe(false);
  expect(await accountOf(session)).toBeNull();
});

test("signing out by the library reports that the session could not be ended", async () => {
  const onFailure = vi.fn();
  const { events } = authOptions({ headers: new Headers(), onFailure });
  const signOut = () => events?.signOut?.({ token: claimsOf(session), session: { expires: "" } });
  await withoutDatabase(async () => signOut());
  expect(onFailure).toHaveBeenCalledOnce();
  await signOut();
  expect(onFailure).toHaveBeenCalledOnce();
  expect(await accountOf(session)).toBeNull();
});

test("signing in again ends the session that the browser had", async () => {
  const { callbacks } = authOptions({ headers: new Headers(), onFailure: () => undefined });
  const authenticated = { userId: session.userId, version: 1 };
  await callbacks?.jwt?.({
    token: {},
    user: { id: session.userId, authenticated },
    account: { provider: "credentials", providerAccountId: session.userId, type: "credentials" },
  });
  expect(await accountOf(session)).toBeNull();
});

import { headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { cache } from "react";
import { withDatabaseTimeout } from "../db/database-away.ts";
import type { Role } from "../db/values.ts";
import { type Account, accountOf, type Member, memberOf } from "./member.ts";
import { readSession } from "./session-cookie.ts";

export type { Account, Member } from "./member.ts";

const current = cache(async (): Promise<{ account: Account; companyId: string | null } | null> => {
  const session = await readSession();
  const account = session && (await withDatabaseTimeout(accountOf(session)));
  return account ? { account, companyId: session.companyId } : null;
});

/** Who is signed in, whether they belong to a company or not; null when nobody is. Read once a request. */
export async function currentAccount(): Promise<Account | null> {
  return (await current())?.account ?? null;
}

/**
 * The member who asks, as the database knows them now: every page and every action begins with it. Without a session the
 * request goes to the sign-in, without a company to the page that says so; a role that is not enough is a 403 page.
 * @param options.role `admin` for what support staff do not see
 */
export async function requireMember({ role }: { role?: Role } = {}): Promise<Member> {
  const session = await current();
  if (!session) redirect(await signInPath());
  const member = memberOf(session.account, session.companyId);
  if (!member) redirect("/no-company");
  if (role === "admin" && member.role !== "admin") forbidden();
  return member;
}

/** Back to this page after the sign-in, where the server says which it is. */
async function signInPath(): Promise<string> {
  const path = (await headers()).get("x-ragstone-path");
  return path?.startsWith("/") && path !== "/" ? `/sign-in?next=${encodeURIComponent(path)}` : "/sign-in";
}

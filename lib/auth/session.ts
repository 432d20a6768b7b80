import { headers } from "next/headers";
import { forbidden, notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Role } from "../db/column-values.ts";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { type Account, accountOf, type Member, memberOf } from "./member.ts";
import { COMPANY_PARAM } from "./page-company.ts";
import { readSession } from "./session-cookie.ts";

export type { Account, Member } from "./member.ts";

const current = cache(async (): Promise<{ account: Account; companyId: string | null } | null> => {
  const session = await readSession();
  const account = session && (await withDatabaseTimeout(accountOf(session)));
  return account ? { account, companyId: session.companyId } : null;
});

/** The signed-in account, with or without a company; null without a session. Read once per request. */
export async function currentAccount(): Promise<Account | null> {
  return (await current())?.account ?? null;
}

/**
 * Returns the member who sends the request, from the database; every page and action starts with this call. Without a
 * session, redirects to the sign-in; without a company, to the page that explains this; without the role, answers with
 * the 403 page.
 * @param options.role `admin` for pages that support staff may not see
 */
export async function requireMember({ role }: { role?: Role } = {}): Promise<Member> {
  const session = await current();
  if (!session) redirect(await signInPath());
  const member = memberOf(session.account, session.companyId);
  if (!member) redirect("/no-company");
  if (role === "admin" && member.role !== "admin") forbidden();
  return member;
}

/**
 * Like `requireMember`, for a page that people reach by a link with its company: switches to that company first, and
 * answers with the 404 page to everybody who is not a member of it.
 * @param companyId null for a link without a company
 */
export async function requireLinkedMember(companyId: string | null): Promise<Member> {
  const member = await requireMember();
  if (companyId === null || companyId === member.company.id) return member;
  if (!member.companies.some(({ id }) => id === companyId)) notFound();
  const next = (await headers()).get(PATH_HEADER) ?? "/";
  redirect(`/open-company?${new URLSearchParams({ [COMPANY_PARAM]: companyId, next })}`);
}

/** Set by the server for each request. */
const PATH_HEADER = "x-ragstone-path";

/** The sign-in page, which returns to the current page if the server knows its path. */
async function signInPath(): Promise<string> {
  const path = (await headers()).get(PATH_HEADER);
  return path?.startsWith("/") && path !== "/" ? `/sign-in?next=${encodeURIComponent(path)}` : "/sign-in";
}

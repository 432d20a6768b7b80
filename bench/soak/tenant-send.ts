import { sql } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { fileId, vectorStoreId } from "../../lib/adapters/openai/ids.ts";
import { COMPANY_HEADER, COMPANY_PARAM } from "../../lib/auth/page-company.ts";
import { connection } from "../../lib/db/client.ts";
import { startSession } from "../../lib/members/sessions.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import { fill, issuesOf, type Json } from "./action-input.ts";
import { firstInput } from "./tenant-actions.ts";
import { bodyOf, queryOf } from "./tenant-bodies.ts";
import type { Named } from "./tenant-ids.ts";
import { fillPath, type Target } from "./tenant-targets.ts";

/** Session secret of the probed server. */
export const AUTH_SECRET = "tenants machine, tenants machine";

/** How many times missing input of an action is filled in. */
const FILL_ROUNDS = 4;

export interface Probe {
  target: Target;
  role: "admin" | "support" | "nobody";
  /** Whether the cookie, the header and the URL name the other company. */
  names: { cookie: boolean; header: boolean; param: boolean };
  token: string;
  /** The query parameter that carries the id, or "". */
  query: string;
  /** Index of the body. */
  body: number;
}

export interface Answer {
  status: number;
  text: string;
  /** The content of a JSON response or an action result, without ids, times and numbers. */
  verdict: string;
  /** Whether the target accepted the request: the input was complete, and nothing that it names was refused. */
  accepted: boolean;
  /** Number of requests sent. */
  requests: number;
}

/** Sends probes as the members and keys of one company. */
export class Sender {
  private readonly sessions = new Map<string, string>();
  /** Missing inputs that each action reported, by action. */
  private readonly missing = new Map<string, ReturnType<typeof issuesOf>[]>();

  private readonly url: string;
  private readonly company: FilledCompany;

  constructor(url: string, company: FilledCompany) {
    this.url = url;
    this.company = company;
  }

  async send(probe: Probe, named: Named): Promise<Answer> {
    const { target } = probe;
    // any action or auth route may sign out
    if (target.kind === "action" || target.path.startsWith("/api/auth")) this.sessions.clear();
    if (target.kind === "action") return this.sendAction(probe, named);
    const headers = await this.headersOf(probe, named);
    if (target.kind === "api") {
      headers.set("Authorization", `Bearer ${probe.token}`);
      headers.set("Accept", "application/json, text/event-stream");
    }
    const body = bodyOf(target, named, probe.body);
    const address = this.addressOf(probe, named);
    return read(await fetch(address, { method: target.method, headers, redirect: "manual", body }));
  }

  /** Finds the input of an action by filling in what the action reports as missing, with the probe's ids. */
  private async sendAction(probe: Probe, named: Named): Promise<Answer> {
    const { target, names } = probe;
    const known = this.missing.get(target.actionId ?? "") ?? [];
    const textOf = (field: string) => textFor(target, named, field);
    const start = firstInput(target.name, named, probe.body);
    let input = known.reduce<Json>((filled, issues) => fill(filled, issues, textOf), start);
    for (let requests = 1; ; requests++) {
      const headers = await this.headersOf(probe, named);
      headers.set("Next-Action", target.actionId ?? "");
      headers.set("Content-Type", "text/plain;charset=UTF-8");
      headers.set("Origin", this.url);
      const page = { companyId: names.header ? named.companyId : this.company.scope.companyId };
      const body = JSON.stringify([input, page]);
      const response = await fetch(this.addressOf(probe, named), { method: "POST", headers, redirect: "manual", body });
      const answer = await read(response);
      const issues = issuesOf(answer.text);
      if (issues.length === 0 || requests === FILL_ROUNDS)
        return { ...answer, requests, accepted: issues.length === 0 && answer.accepted };
      if (known.length < FILL_ROUNDS) this.missing.set(target.actionId ?? "", [...known, issues]);
      input = fill(input, issues, textOf);
    }
  }

  private addressOf({ target, names, query, body }: Probe, named: Named): string {
    const { id, companyId } = named;
    const own = this.company.scope.companyId;
    const values: Record<string, string> = {
      storeId: vectorStoreId(names.param ? companyId : own),
      fileId: fileId(id),
      number: "1",
      nextauth: "session",
    };
    const path = fillPath(target, (name) => values[name] ?? id);
    const address = new URL(path, this.url);
    for (const [name, value] of Object.entries(queryOf(target, named, body))) address.searchParams.set(name, value);
    if (query !== "") address.searchParams.set(query, id);
    address.searchParams.set(COMPANY_PARAM, names.param ? companyId : own);
    return address.href;
  }

  private async headersOf({ role, names }: Probe, { id, companyId }: Named): Promise<Headers> {
    const own = this.company.scope.companyId;
    const headers = new Headers({ "X-Request-Id": id });
    headers.set(COMPANY_HEADER, names.header ? companyId : own);
    if (role !== "nobody") {
      const sub = this.company[role].id ?? "";
      const token = { sub, sessionId: await this.sessionOf(sub), companyId: names.cookie ? companyId : own };
      headers.set("Cookie", `next-auth.session-token=${await encode({ token, secret: AUTH_SECRET })}`);
    }
    return headers;
  }

  private async sessionOf(userId: string): Promise<string> {
    const known = this.sessions.get(userId);
    if (known) return known;
    const [user] = await connection().db.execute<{ version: number }>(
      sql`select session_version as version from ragstone.users where id = ${userId}`,
    );
    const made = await startSession({ userId, version: user?.version ?? 0 });
    this.sessions.set(userId, made);
    return made;
  }
}

/**
 * What a field of an action gets as its text. A company must not have an id as its name, because a deletion is confirmed
 * by the name.
 */
function textFor({ name }: Target, { id, byName }: Named, field: string): string {
  if (name === "renameCompanyAction") return `Company ${id}`;
  return byName.get(field) ?? id;
}

const REFUSED = [400, 401, 403, 404, 405, 415, 422, 429];
/** How pages and actions, whose status is 200, say that something is missing or not allowed. */
const REFUSAL = / not found$|^Only (?:an admin|a member) |^Your session has ended|^You are (?:now in|signed out)/;
const MISSING_PAGE = /NEXT_HTTP_ERROR_FALLBACK;40[34]|"location","[^"]*\/sign-in/;

async function read(response: Response): Promise<Answer> {
  const { status } = response;
  const text = (await response.text()) + JSON.stringify([...response.headers]);
  const said = /"(?:error|message)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? toolError(text);
  const verdict = said.replaceAll(/[0-9a-f-]{36}|\d+/g, "…");
  const accepted = status < 500 && !REFUSED.includes(status) && !REFUSAL.test(said) && !MISSING_PAGE.test(text);
  return { status, text, verdict, accepted, requests: 1 };
}

/** The error that a tool of the Model Context Protocol returned, or nothing. */
function toolError(text: string): string {
  if (!text.includes('"isError":true')) return "";
  return /"text":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "error";
}

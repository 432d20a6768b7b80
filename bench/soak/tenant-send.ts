import { sql } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { COMPANY_HEADER, COMPANY_PARAM } from "../../lib/auth/page-company.ts";
import { connection } from "../../lib/db/client.ts";
import { startSession } from "../../lib/members/sessions.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import { fill, issuesOf, type Json } from "./action-input.ts";
import type { Target } from "./tenant-targets.ts";

/** Session secret of the probed server. */
export const AUTH_SECRET = "tenants machine, tenants machine";

/** How many times missing input of an action is filled in. */
const FILL_ROUNDS = 4;

/** The ids in a request, which belong to another company or to nobody. */
export interface Named {
  id: string;
  companyId: string;
  alias: string;
}

export interface Probe {
  target: Target;
  role: "admin" | "support" | "nobody";
  /** Whether the cookie, the header and the URL name the other company. */
  names: { cookie: boolean; header: boolean; param: boolean };
  token: string;
  /** The query parameter that carries the id. */
  query: string;
  /** Index of the body. */
  body: number;
}

export interface Answer {
  status: number;
  text: string;
  /** The content of a JSON response or an action result, without ids, times and numbers. */
  verdict: string;
  /** Whether the target accepted the input instead of refusing it as malformed. */
  taken: boolean;
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
    const body = /^(GET|HEAD|OPTIONS)$/.test(target.method) ? {} : { body: bodyOf(probe, named) };
    if (isApi(target)) {
      headers.set("Authorization", `Bearer ${probe.token}`);
      headers.set("Content-Type", "application/json");
    }
    const address = this.addressOf(probe, named);
    return read(await fetch(address, { method: target.method, headers, redirect: "manual", ...body }));
  }

  /** Finds the input of an action by filling in what the action reports as missing, with the probe's ids. */
  private async sendAction(probe: Probe, named: Named): Promise<Answer> {
    const { target, names } = probe;
    const known = this.missing.get(target.actionId ?? "") ?? [];
    const text = textFor(target, named.id);
    let input = known.reduce<Json>((filled, issues) => fill(filled, issues, text), {});
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
        return { ...answer, requests, taken: issues.length === 0 && answer.taken };
      if (known.length < FILL_ROUNDS) this.missing.set(target.actionId ?? "", [...known, issues]);
      input = fill(input, issues, text);
    }
  }

  private addressOf({ target, names, query }: Probe, { id, companyId }: Named): string {
    const address = new URL(target.path.replaceAll(/\[+(?:\.\.\.)?\w+\]+|\{\w+\}/g, id), this.url);
    address.searchParams.set(query, id);
    address.searchParams.set(COMPANY_PARAM, names.param ? companyId : this.company.scope.companyId);
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

/** What an action gets as texts. A company must not have an id as its name, because a deletion is confirmed by the name. */
function textFor({ name }: Target, id: string): string {
  return name === "renameCompanyAction" ? `Company ${id}` : id;
}

const QUESTIONS: ((named: Named) => string)[] = [
  ({ id }) => `what is ${id}?`,
  ({ alias }) => `what is ${alias}?`,
  () => "what is this mineral?",
];
const FILTERS: ((named: Named) => object)[] = [
  () => ({}),
  ({ alias }) => ({ audience: alias }),
  ({ alias }) => ({ path: [alias] }),
  ({ id }) => ({ contentCategory: [id] }),
  ({ companyId }) => ({ audience: `x' or company_id = '${companyId}' --` }),
  ({ companyId }) => ({ $or: [{ company_id: companyId }], companyId }),
];
/** Number of different bodies. */
export const BODIES = QUESTIONS.length * FILTERS.length;

function bodyOf({ target, body }: Probe, named: Named): BodyInit {
  const { id, companyId } = named;
  if (isApi(target)) {
    const queryText = QUESTIONS[body % QUESTIONS.length]?.(named);
    const filters = FILTERS[Math.floor(body / QUESTIONS.length)]?.(named);
    return JSON.stringify({ queryText, filters, limit: 100, sourceId: id, company_id: companyId, companyId });
  }
  const form = new FormData();
  for (const name of ["id", "sourceId", "keyId"]) form.set(name, id);
  form.set("companyId", companyId);
  form.set("step", "preview");
  form.set("file", new File(["question,answer\nWho?,Us.\n"], `${id}.csv`));
  return form;
}

function isApi({ kind, path }: Target): boolean {
  return kind === "api" || path.startsWith("/v1");
}

async function read(response: Response): Promise<Answer> {
  const { status } = response;
  const text = (await response.text()) + JSON.stringify([...response.headers]);
  const said = /"(?:error|message)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "";
  const verdict = said.replaceAll(/[0-9a-f-]{36}|\d+/g, "…");
  return { status, text, verdict, taken: ![400, 405, 415, 422].includes(status), requests: 1 };
}

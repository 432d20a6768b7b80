import type { Role } from "../db/column-values.ts";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { AppError } from "../errors.ts";
import { type LogTrace, logFinished, requestIdOf } from "../http/request-log.ts";
import { accountOf, type Member, memberOf } from "./member.ts";
import { COMPANY_HEADER, COMPANY_PARAM } from "./page-company.ts";
import { actionError, authorise, failure } from "./run-action.ts";
import { readSession, type Session } from "./session-cookie.ts";

interface Options {
  /** For the log, as `subject.verb`. */
  name: string;
  /** The required role: `admin`, or any member when it is missing. */
  role?: Role;
}

interface Call<Params> {
  request: Request;
  member: Member;
  params: Params;
  requestId: string;
  /** Checks session and role again, after a body that may have taken long to arrive. */
  recheck: () => Promise<void>;
  /** The result for an error after the response has started. Logs the error. */
  refuse: (error: unknown) => ReturnType<typeof failure>;
}

/**
 * Like `action`, for uploads, downloads and streams. The handler returns a response, or data that become an
 * `ActionResult`.
 */
export function memberRoute<Params>({ name, role }: Options, handler: (call: Call<Params>) => Promise<unknown>) {
  return async (request: Request, { params }: { params: Promise<Params> }): Promise<Response> => {
    const started = performance.now();
    const trace: LogTrace = { name, requestId: requestIdOf(request.headers) };
    const refusalFor = (error: unknown) => actionError(error, trace, request.signal);
    try {
      const pageCompanyId = pageCompanyOf(request);
      const session = await readSession();
      const authorised = async () => {
        // reads use the page's company if the person is a member there; authorise refuses changes from another company's
        // page
        const member = await currentMember(session, isRead(request) ? pageCompanyId : null);
        trace.companyId = member.company.id;
        trace.userId = member.userId;
        authorise(member, { role, page: { companyId: pageCompanyId ?? undefined } });
        return member;
      };
      const member = await authorised();
      const data = await handler({
        ...{ request, member, params: await params, requestId: trace.requestId },
        recheck: async () => void (await authorised()),
        refuse: (error) => failure(refusalFor(error)),
      });
      logFinished("action", trace, started);
      return data instanceof Response ? data : Response.json({ ok: true, data }, { headers: NOT_CACHED });
    } catch (error) {
      const refusal = refusalFor(error);
      const headers = { ...refusal.headers, ...NOT_CACHED };
      return Response.json(failure(refusal), { status: refusal.statusCode, headers });
    }
  };
}

const NOT_CACHED = { "Cache-Control": "no-store" };

/** @param companyId the company to act in; null for the session's company */
async function currentMember(session: Session | null, companyId: string | null): Promise<Member> {
  const account = session && (await withDatabaseTimeout(accountOf(session)));
  const member = account && memberOf(account, companyId ?? session.companyId);
  if (!member) throw new AppError("Unauthorized", "Your session has ended. Sign in and try again.");
  return member;
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function pageCompanyOf(request: Request): string | null {
  if (isRead(request)) return new URL(request.url).searchParams.get(COMPANY_PARAM);
  const companyId = request.headers.get(COMPANY_HEADER);
  if (companyId === null)
    throw new AppError("BadRequest", `The header ${COMPANY_HEADER} is missing. Reload the page and try again.`);
  return companyId;
}

import { refresh as refreshPage } from "next/cache";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import type { Actor } from "../audit/record.ts";
import type { Role } from "../db/column-values.ts";
import type { TenantScope } from "../db/tenant.ts";
import { parseInput } from "../errors.ts";
import { type LogTrace, logFinished, requestIdOf } from "../http/request-log.ts";
import { limitAttempts } from "./limit-attempts.ts";
import type { Action, ActionResult } from "./result.ts";
import { actionError, authorise, failure } from "./run-action.ts";
import { type Member, requireMember } from "./session.ts";

interface Options<Schema extends z.ZodType> {
  /** For the log, as `subject.verb`. */
  name: string;
  schema: Schema;
  /**
   * Whether to render the page again with the response; false while a dialog shows data that must not be lost. Default
   * true.
   */
  refresh?: boolean;
}

interface MemberOptions<Schema extends z.ZodType> extends Options<Schema> {
  /** The required role: `admin`, or any member when it is missing. */
  role?: Role;
  /**
   * Whether the action also runs from a page that shows another company than the session's, because it concerns only
   * the person. Default false.
   */
  anyCompany?: boolean;
}

interface Call<Schema extends z.ZodType> {
  input: z.output<Schema>;
  requestId: string;
}

interface MemberCall<Schema extends z.ZodType> extends Call<Schema> {
  scope: TenantScope;
  actor: Actor;
  member: Member;
}

/**
 * Wraps every server action of a member. Checks that the member is signed in, acts in the company that the page shows
 * and has the role, and that the input matches the schema. Errors become messages for people; unknown errors become a
 * request id.
 */
export function action<Schema extends z.ZodType, Data>(
  { role, anyCompany = false, ...options }: MemberOptions<Schema>,
  handler: (call: MemberCall<Schema>) => Promise<Data>,
): Action<z.input<Schema>, Data> {
  return (input, page) =>
    runLogged(options, async (trace) => {
      const member = await requireMember();
      trace.companyId = member.company.id;
      trace.userId = member.userId;
      authorise(member, { role, page, anyCompany });
      const { scope, actor } = member;
      const parsed = parseInput(options.schema, input);
      return handler({ scope, actor, member, input: parsed, requestId: trace.requestId });
    });
}

/**
 * Wraps actions for people without a session: sign-in, set-up, invitation, reset. The handler authorises by the input;
 * calls are rate-limited by address.
 */
export function openAction<Schema extends z.ZodType, Data>(
  options: Options<Schema>,
  handler: (call: Call<Schema>) => Promise<Data>,
): Action<z.input<Schema>, Data> {
  return (input) =>
    runLogged(options, async ({ requestId }) => {
      await limitAttempts(options.name, await headers());
      return handler({ input: parseInput(options.schema, input), requestId });
    });
}

async function runLogged<Data>(
  { name, refresh = true }: Pick<Options<z.ZodType>, "name" | "refresh">,
  work: (trace: LogTrace) => Promise<Data>,
): Promise<ActionResult<Data>> {
  const started = performance.now();
  const trace: LogTrace = { name, requestId: requestIdOf(await headers()) };
  try {
    const data = await work(trace);
    logFinished("action", trace, started);
    if (refresh) refreshPage();
    return { ok: true, data };
  } catch (error) {
    // Next.js throws redirects as exceptions
    unstable_rethrow(error);
    return failure(actionError(error, trace));
  }
}

import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "../db/client.ts";
import { auditLog, users } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { pageWithin } from "../page.ts";
import { groupEvents } from "./group-events.ts";
import { requireAdmin } from "./permissions.ts";
import { withQuestionNames } from "./question-names.ts";
import type { Actor } from "./record.ts";

/** Events per page of the log. */
export const EVENTS_PER_PAGE = 50;

export type AuditEventRow = Awaited<ReturnType<typeof browseAudit>>["rows"][number];

export interface AuditQuery {
  /** Id of an actor, which stays the same when they change their name, or the name as stored in the log; null: all. */
  actor: string | null;
  /** Name of an action, such as `api_key.created`; null: all. */
  action: string | null;
  /** Days in UTC, both included; null: no limit. */
  from: Date | null;
  to: Date | null;
  /** From 1; a number after the last page means the last page. */
  page: number;
}

/**
 * A page of the audit log, newest first, with the actors and actions to filter by.
 * @throws {AppError} Forbidden for support staff
 */
export async function browseAudit(scope: TenantScope, actor: Actor, query: AuditQuery) {
  requireAdmin(scope, actor);
  const { id, createdAt, actorType, actorId, actorName, action, targetType, targetId, targetName, detail } = auditLog;
  const own = eq(auditLog.companyId, scope.companyId);
  const chosen = and(
    own,
    query.actor === null ? undefined : eq(z.uuid().safeParse(query.actor).success ? actorId : actorName, query.actor),
    query.action === null ? undefined : eq(action, query.action),
    query.from ? gte(createdAt, query.from) : undefined,
    // added by the database, because the driver cannot send the day after 9999-12-31
    query.to ? lt(createdAt, sql`${query.to.toISOString()}::timestamptz + interval '24 hours'`) : undefined,
  );
  return scope.snapshot(async (tx) => {
    const events = await tx.$count(auditLog, own);
    const total = hasFilters(query) ? await tx.$count(auditLog, chosen) : events;
    const { page, limit, offset } = pageWithin(query.page, { total, pageSize: EVENTS_PER_PAGE });
    const rows = await tx
      .select({ id, createdAt, actorType, actorName, action, targetType, targetId, targetName, detail })
      .from(auditLog)
      .where(chosen)
      .orderBy(desc(createdAt), desc(id))
      .limit(limit)
      .offset(offset);
    const groups = await groupEvents(tx, scope.companyId, events);
    // a selected action is listed even when the log has none
    const actions = [
      ...new Set([...groups.map((group) => group.action), ...(query.action ? [query.action] : [])]),
    ].sort();
    const actors = await actorsOf(tx, groups);
    return { total, page, rows: await withQuestionNames(tx, scope.companyId, rows), actors, actions };
  });
}

function hasFilters({ page: _, ...filters }: AuditQuery): boolean {
  return Object.values(filters).some((filter) => filter !== null);
}

/** Everyone in the log, by their newest name, with the email of those who are members. */
async function actorsOf(tx: Transaction, groups: Awaited<ReturnType<typeof groupEvents>>) {
  const actors = new Map<string, { id: string; name: string; count: number }>();
  for (const { actorId, actorName: name, count } of groups) {
    // the operator and Ragstone have no id
    const id = actorId ?? name;
    actors.set(id, { id, name, count: count + (actors.get(id)?.count ?? 0) });
  }
  const { id, email } = users;
  const ids = new Set(groups.flatMap(({ actorId }) => actorId ?? []));
  const people = await tx
    .select({ id, email })
    .from(users)
    .where(inArray(id, [...ids]));
  const emails = new Map(people.map((person) => [person.id, person.email]));
  return [...actors.values()]
    .map((actor) => ({ ...actor, email: emails.get(actor.id) ?? null }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

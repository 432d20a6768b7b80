import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { auditLog, sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { isUndoable } from "./relabel-attachments.ts";

/** A change of labels whose undo is offered to its author. */
export interface LastRelabel {
  id: string;
  at: Date;
  /** Sources that still have the changed labels as their newest version, with attachments that followed their email. */
  sources: number;
}

export const RELABEL_OFFERED_MINUTES = 60;

/**
 * The last change of several sources' labels that a person made within the last hour, so that its undo survives a
 * closed page or a lost connection. Null when nothing of it can be undone any more.
 */
export async function lastRelabel(scope: TenantScope, actor: Actor): Promise<LastRelabel | null> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const { id, createdAt, actorId, actorType, action, targetType } = auditLog;
    const [event] = await tx
      .select({ id, at: createdAt })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.companyId, companyId),
          // literals, so that every plan can use the partial index
          sql`${action} = 'knowledge.relabelled' and ${targetType} = 'sources'`,
          actor.type === "user" ? eq(actorId, actor.id) : eq(actorType, actor.type),
          gt(createdAt, sql`now() - make_interval(mins => ${RELABEL_OFFERED_MINUTES})`),
        ),
      )
      .orderBy(desc(createdAt))
      .limit(1);
    if (!event) return null;
    const [found] = await tx
      .select({ sources: sql<number>`count(*)::int` })
      .from(sourceVersions)
      .innerJoin(
        sources,
        and(
          eq(sources.companyId, companyId),
          eq(sources.latestVersionId, sourceVersions.id),
          isNull(sources.deletedAt),
        ),
      )
      .where(
        and(
          eq(sourceVersions.companyId, companyId),
          eq(sourceVersions.relabelId, event.id),
          isUndoable(companyId, event.id),
        ),
      );
    return found && found.sources > 0 ? { ...event, sources: found.sources } : null;
  });
}

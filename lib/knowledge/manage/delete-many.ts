import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sources } from "../../db/schema/index.ts";
import { textArray } from "../../db/sql.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { validationError } from "../../errors.ts";
import { isOwnSource } from "../live-email.ts";
import { deleteSources } from "../service.ts";
import { visibleTo } from "../visible-sources.ts";
import type { deleteRequest } from "./schema.ts";

/**
 * Deletes the named sources, or all whose identifier starts with a prefix. The caller confirms the number.
 * @returns identifiers of the deleted sources
 * @throws {AppError} ValidationError with the right number in `confirm` when the caller sent another; nothing is deleted
 */
export async function deleteManaged(
  scope: TenantScope,
  actor: Actor,
  { sourceIds, prefix, except, confirm }: z.output<typeof deleteRequest>,
): Promise<string[]> {
  requireAdmin(scope, actor, "manage");
  const kept = sourceIds ? [] : (except ?? []);
  const named = sourceIds
    ? sql`${sources.sourceId} = any(${textArray(sourceIds)})`
    : sql`starts_with(${sources.sourceId}, ${prefix}) and ${isOwnSource(scope.companyId)}
        and ${sources.sourceId} not in (select unnest(${textArray(kept)}))`;
  const found = await scope.transaction((tx) =>
    tx
      .select({ id: sources.id })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, scope.companyId),
          isNull(sources.deletedAt),
          visibleTo(scope.companyId, actor),
          named,
        ),
      ),
  );
  if (confirm !== found.length) {
    const message = `must be ${found.length}, the number of sources that would be deleted`;
    throw validationError([{ path: "confirm", message }], { confirm: found.length });
  }
  const ids = found.map(({ id }) => id);
  return (await deleteSources(scope, actor, ids, { except: new Set(kept) })).map(({ sourceId }) => sourceId);
}

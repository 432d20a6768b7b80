import { and, eq, isNull } from "drizzle-orm";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sources } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import { servedText } from "../browse/served-text.ts";
import { visibleTo } from "../visible-sources.ts";

/** The text of a source that retrieval serves, as Markdown. @throws {AppError} NotFound, including when nothing is served */
export async function textOfSource(scope: TenantScope, actor: Actor, id: string): Promise<string> {
  requireAdmin(scope, actor, "manage");
  const { companyId } = scope;
  const [source] = await scope.transaction((tx) =>
    tx
      .select({ versionId: sources.currentVersionId })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, companyId),
          eq(sources.id, id),
          isNull(sources.deletedAt),
          visibleTo(companyId, actor),
        ),
      ),
  );
  if (!source?.versionId) throw notFound("Text");
  return servedText(scope, source.versionId);
}
